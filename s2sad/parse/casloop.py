"""The addition that older cards had no instruction for, written as a loop; it is `atomicAdd`.

    __device__ double add(double *address, double v)
    {
        unsigned long long *bits = (unsigned long long *)address;
        unsigned long long old = *bits, assumed;
        do {
            assumed = old;
            old = atomicCAS(bits, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
        } while (assumed != old);
        return __longlong_as_double(old);
    }

What is taken is this shape and no other, whatever the names: the element is replaced by the
sum of `v` and what it held, and only if its bits are still those. A loop that compares
numbers is none (0.0 and -0.0 are equal), nor is one that multiplies or takes the larger.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from .. import ir
from . import types

_BITS = {  # of a number, and the number of bits
    ir.DOUBLE: (("__double_as_longlong",), ("__longlong_as_double",), (ir.ULLONG,)),
    ir.FLOAT: (
        ("__float_as_int", "__float_as_uint"),
        ("__int_as_float", "__uint_as_float"),
        (ir.INT, ir.UINT),
    ),
}


def is_addition(node: Any) -> bool:
    """Whether a function adds its second argument atomically to what its first one points to."""
    args = node.decl.type.args
    params = list(args.params) if args is not None else []
    if len(params) != 2 or node.body is None:
        return False
    real = _number(params[1].type)
    if real is None or real not in _BITS or _pointed(params[0].type) != real:
        return False
    result = _number(node.decl.type.type)
    if result not in (real, ir.VOID):
        return False
    return _Loop(params[0].name, params[1].name, real).is_body(node.body.block_items or [])


class _Loop:
    """The names that the shape has in one function."""

    def __init__(self, address: str, amount: str, real: ir.Scalar) -> None:
        self.address = address
        self.amount = amount
        self.to_bits, self.from_bits, self.words = _BITS[real]
        self.views: set[str] = set()  # pointers to the element's bits
        self.word: ir.Scalar | None = None
        self.old = ""
        self.assumed = ""

    def is_body(self, items: list[Any]) -> bool:
        at = next((k for k, item in enumerate(items) if not isinstance(item, c_ast.Decl)), len(items))
        if not all(self.declares(item) for item in items[:at]) or not self.old or not self.assumed:
            return False
        loop, rest = items[at : at + 1], items[at + 1 :]
        if not loop or not isinstance(loop[0], c_ast.DoWhile) or not self.repeats(loop[0]):
            return False
        return not rest or (len(rest) == 1 and self.returns(rest[0]))

    def declares(self, node: Any) -> bool:
        if node.storage or node.quals or node.name in (self.address, self.amount):
            return False
        if isinstance(node.type, c_ast.PtrDecl):
            self.views.add(node.name)
            return _pointed(node.type) in self.words and self.is_view_made(node.init)
        if _number(node.type) not in self.words or self.word not in (None, _number(node.type)):
            return False
        self.word = _number(node.type)
        if node.init is None:
            first, self.assumed = not self.assumed, node.name
            return first
        first, self.old = not self.old, node.name
        return first and self.is_element(node.init)

    def is_view_made(self, node: Any) -> bool:
        return (
            isinstance(node, c_ast.Cast)
            and _pointed(node.to_type.type) in self.words
            and _is(node.expr, self.address)
        )

    def is_view(self, node: Any) -> bool:
        return (isinstance(node, c_ast.ID) and node.name in self.views) or self.is_view_made(node)

    def is_element(self, node: Any) -> bool:
        """The bits that the element has at first; if they aren't, the loop runs once more."""
        match node:
            case c_ast.UnaryOp(op="*", expr=inner):
                return self.is_view(inner)
            case c_ast.ArrayRef(name=inner, subscript=c_ast.Constant(value="0")):
                return self.is_view(inner)
            case c_ast.FuncCall(
                name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[c_ast.UnaryOp(op="*", expr=at)])
            ):
                return name in self.to_bits and _is(at, self.address)
            case _:
                return False

    def repeats(self, loop: Any) -> bool:
        body = loop.stmt.block_items if isinstance(loop.stmt, c_ast.Compound) else None
        if body is None or len(body) != 2:
            return False
        match loop.cond:
            case c_ast.BinaryOp(op="!=", left=c_ast.ID(name=one), right=c_ast.ID(name=two)):
                differ = {one, two} == {self.old, self.assumed}
            case _:
                differ = False
        match body:
            case [
                c_ast.Assignment(op="=", lvalue=kept, rvalue=was),
                c_ast.Assignment(op="=", lvalue=now, rvalue=c_ast.FuncCall(name=called, args=args)),
            ]:
                steps = _is(kept, self.assumed) and _is(was, self.old) and _is(now, self.old)
                return differ and steps and _is(called, "atomicCAS") and self.swaps(args)
            case _:
                return False

    def swaps(self, args: Any) -> bool:
        """`atomicCAS(bits, assumed, bits_of(v + number_of(assumed)))`."""
        match args:
            case c_ast.ExprList(
                exprs=[
                    where,
                    expected,
                    c_ast.FuncCall(
                        name=c_ast.ID(name=name),
                        args=c_ast.ExprList(exprs=[c_ast.BinaryOp(op="+", left=one, right=two)]),
                    ),
                ]
            ):
                sides = (_is(one, self.amount) and self.is_number(two, self.assumed)) or (
                    _is(two, self.amount) and self.is_number(one, self.assumed)
                )
                return self.is_view(where) and _is(expected, self.assumed) and name in self.to_bits and sides
            case _:
                return False

    def is_number(self, node: Any, name: str) -> bool:
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=called), args=c_ast.ExprList(exprs=[inner])):
                return called in self.from_bits and _is(inner, name)
            case _:
                return False

    def returns(self, node: Any) -> bool:
        """The number before the addition, or nothing."""
        if not isinstance(node, c_ast.Return):
            return False
        return node.expr is None or any(self.is_number(node.expr, n) for n in (self.old, self.assumed))


def _is(node: Any, name: str) -> bool:
    return isinstance(node, c_ast.ID) and bool(name) and node.name == name


def _number(declarator: Any) -> ir.Scalar | None:
    """The arithmetic type of a plain declarator, None of another one."""
    if not isinstance(declarator, c_ast.TypeDecl) or not isinstance(declarator.type, c_ast.IdentifierType):
        return None
    return None if "volatile" in (declarator.quals or ()) else types.scalar(declarator.type.names)


def _pointed(declarator: Any) -> ir.Scalar | None:
    """What a plain pointer points to, if that is a number that may be written."""
    if not isinstance(declarator, c_ast.PtrDecl) or "&" in (declarator.quals or ()):
        return None
    inner = declarator.type
    return None if "const" in (getattr(inner, "quals", None) or ()) else _number(inner)
