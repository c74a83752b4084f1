"""Recognise `atomicAdd`, `atomicMax` or `atomicMin` written as a compare-and-swap loop, where cards lack it.

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

Accepted are this shape, whatever the names, and two equivalent ones: the element is replaced
by the sum of `v` and its old value, only if its bits are unchanged. A loop that compares numbers
isn't accepted (0.0 and -0.0 are equal), nor is one that multiplies.

        do {
            assumed = old;
            sum = __double_as_longlong(v + __longlong_as_double(assumed));
        } while ((old = atomicCAS(bits, assumed, sum)) != assumed);

With `fmax(v, ...)` in place of the sum the larger of the two is stored. The same holds for a
loop that runs while `v` is larger:

        while (v > __longlong_as_double(old)) {
            unsigned long long assumed = old;
            if ((old = atomicCAS(bits, assumed, __double_as_longlong(v))) == assumed)
                break;
        }
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from ... import ir
from ..types import types

_BITS = {  # from a number, to a number, and the type of the bits
    ir.DOUBLE: (("__double_as_longlong",), ("__longlong_as_double",), (ir.ULLONG,)),
    ir.FLOAT: (
        ("__float_as_int", "__float_as_uint"),
        ("__int_as_float", "__uint_as_float"),
        (ir.INT, ir.UINT),
    ),
}
_TAKES = {"fmax": "atomicMax", "fmaxf": "atomicMax", "max": "atomicMax"}
_TAKES |= {"fmin": "atomicMin", "fminf": "atomicMin", "min": "atomicMin"}


def atomic(node: Any) -> str:
    """Return the atomic that a function applies to its first argument's target with its second, or ""."""
    args = node.decl.type.args
    params = list(args.params) if args is not None else []
    if len(params) != 2 or node.body is None:
        return ""
    real = _number(params[1].type)
    if real is None or real not in _BITS or _pointed(params[0].type) != real:
        return ""
    result = _number(node.decl.type.type)
    if result not in (real, ir.VOID):
        return ""
    loop = _Loop(params[0].name, params[1].name, real)
    return loop.does if loop.is_body(node.body.block_items or []) else ""


class _Loop:
    """The names that the shape uses in one function."""

    def __init__(self, address: str, amount: str, real: ir.Scalar) -> None:
        self.address = address
        self.amount = amount
        self.to_bits, self.from_bits, self.words = _BITS[real]
        self.views: set[str] = set()  # pointers to the element's bits
        self.word: ir.Scalar | None = None
        self.old = ""
        self.assumed = ""
        self.unset: list[str] = []  # declared without a value, one of them `assumed`
        self.does = ""

    def is_body(self, items: list[Any]) -> bool:
        at = next((k for k, item in enumerate(items) if not isinstance(item, c_ast.Decl)), len(items))
        if not all(self.declares(item) for item in items[:at]) or not self.old:
            return False
        loop, rest = items[at : at + 1], items[at + 1 :]
        match loop:
            case [c_ast.DoWhile()]:
                repeats = self.repeats(loop[0]) or self.tries(loop[0])
            case [c_ast.While()]:
                repeats = not self.unset and self.goes_on(loop[0])
            case _:
                repeats = False
        return repeats and (not rest or (len(rest) == 1 and self.returns(rest[0])))

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
            self.unset.append(node.name)
            return True
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
        """Whether a node reads the element's initial bits; if they are stale, the loop runs once more."""
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
        """Match `do { assumed = old; old = atomicCAS(...); } while (assumed != old);`."""
        match loop.cond, loop.stmt:
            case (
                c_ast.BinaryOp(op="!=", left=c_ast.ID(name=one), right=c_ast.ID(name=two)),
                c_ast.Compound(block_items=[keeps, swap]),
            ):
                made = self.keeps(keeps) and len(self.unset) == 1
                return made and {one, two} == {self.old, self.assumed} and self.steps(swap, self.is_new)
            case _:
                return False

    def tries(self, loop: Any) -> bool:
        """Match `do { assumed = old; sum = ...; } while ((old = atomicCAS(..., sum)) != assumed);`."""
        match loop.cond, loop.stmt:
            case (
                c_ast.BinaryOp(op="!=", left=swap, right=expected),
                c_ast.Compound(
                    block_items=[keeps, c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value)]
                ),
            ):
                made = self.keeps(keeps) and name in self.unset and name != self.assumed
                made = made and len(self.unset) == 2 and _is(expected, self.assumed)
                return made and self.is_new(value) and self.steps(swap, lambda put: _is(put, name))
            case _:
                return False

    def goes_on(self, loop: Any) -> bool:
        """`while (v > number_of(old)) { W assumed = old; if ((old = atomicCAS(...)) == assumed) break; }`."""
        match loop.stmt:
            case c_ast.Compound(
                block_items=[
                    c_ast.Decl(name=kept, type=type, init=was, storage=[], quals=[]),
                    c_ast.If(
                        cond=c_ast.BinaryOp(op="==", left=swap, right=expected),
                        iftrue=c_ast.Break() | c_ast.Compound(block_items=[c_ast.Break()]),
                        iffalse=None,
                    ),
                ]
            ):
                self.assumed = kept
                own = kept not in (self.address, self.amount, self.old, *self.views)
                made = own and _number(type) == self.word and _is(was, self.old)
                made = made and _is(expected, kept) and self.steps(swap, self.is_amount)
            case _:
                return False
        match loop.cond:
            case c_ast.BinaryOp(op=">" | "<" as op, left=one, right=two):
                mine = _is(one, self.amount) and self.is_number(two, self.old)
                yours = _is(two, self.amount) and self.is_number(one, self.old)
                self.does = "atomicMax" if mine == (op == ">") else "atomicMin"
                return made and (mine or yours)
            case _:
                return False

    def keeps(self, node: Any) -> bool:
        """Match `assumed = old`, which shows which variable is `assumed`."""
        match node:
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=was) if _is(was, self.old):
                self.assumed = name
                return name in self.unset
            case _:
                return False

    def steps(self, node: Any, is_put: Callable[[Any], bool]) -> bool:
        """Match `old = atomicCAS(bits, assumed, new)`."""
        match node:
            case c_ast.Assignment(
                op="=",
                lvalue=now,
                rvalue=c_ast.FuncCall(name=called, args=c_ast.ExprList(exprs=[where, expected, put])),
            ):
                placed = self.is_view(where) and _is(expected, self.assumed)
                return _is(now, self.old) and _is(called, "atomicCAS") and placed and is_put(put)
            case _:
                return False

    def is_amount(self, node: Any) -> bool:
        """Match `bits_of(v)`."""
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[inner])):
                return name in self.to_bits and _is(inner, self.amount)
            case _:
                return False

    def is_new(self, node: Any) -> bool:
        """Match `bits_of(v + number_of(assumed))`, or the larger or smaller of the two."""
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[inner])):
                if name not in self.to_bits:
                    return False
            case _:
                return False
        match inner:
            case c_ast.BinaryOp(op="+", left=one, right=two):
                self.does = "atomicAdd"
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=c_ast.ExprList(exprs=[one, two])):
                self.does = _TAKES.get(name, "")
            case _:
                return False
        return bool(self.does) and (
            (_is(one, self.amount) and self.is_number(two, self.assumed))
            or (_is(two, self.amount) and self.is_number(one, self.assumed))
        )

    def is_number(self, node: Any, name: str) -> bool:
        match node:
            case c_ast.FuncCall(name=c_ast.ID(name=called), args=c_ast.ExprList(exprs=[inner])):
                return called in self.from_bits and _is(inner, name)
            case _:
                return False

    def returns(self, node: Any) -> bool:
        """Match a return of the old number, or of nothing."""
        if not isinstance(node, c_ast.Return):
            return False
        return node.expr is None or any(self.is_number(node.expr, n) for n in (self.old, self.assumed))


def _is(node: Any, name: str) -> bool:
    return isinstance(node, c_ast.ID) and bool(name) and node.name == name


def _number(declarator: Any) -> ir.Scalar | None:
    """Return the arithmetic type of a plain declarator, None for another one."""
    if not isinstance(declarator, c_ast.TypeDecl) or not isinstance(declarator.type, c_ast.IdentifierType):
        return None
    return None if "volatile" in (declarator.quals or ()) else types.scalar(declarator.type.names)


def _pointed(declarator: Any) -> ir.Scalar | None:
    """Return the target type of a plain pointer, if it is a non-const number."""
    if not isinstance(declarator, c_ast.PtrDecl) or "&" in (declarator.quals or ()):
        return None
    inner = declarator.type
    return None if "const" in (getattr(inner, "quals", None) or ()) else _number(inner)
