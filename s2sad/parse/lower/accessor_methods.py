"""Replace calls of accessor methods by the field or element that they return.

    __device__ float &operator[](int i) { return d[i]; }

    a[k] = x[i];        is for lowering        a.d[k] = x[i];
    m(1, j) += s;                              m.e[3 * 1 + j] += s;

Such a method returns a reference to a field of its object, or to an element of one, and has no
other effect. The call is replaced by the returned lvalue, so it is allowed wherever an lvalue is.
An argument that is used more than once must be a name or a literal.

    float &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }

selects a field: `v[1]` is `v.y`, reading `v[k]` is a conditional expression, and `v[k] = e` is an
assignment in each branch of an `if`. `x[i][j]` calls an operator that takes two indices.

    float *operator[](int i) { return m[i]; }

returns a row: `a[i][j]` is `a.m[i][j]`, and with `return m + 3 * i;` it is `a.m[3 * i + j]`.

    static __device__ float &at(float *d, int r, int c, int n) { return d[n * r + c]; }

returns an element of its array argument: `M::at(x, i, j, n) = s` is `x[n * i + j] = s`. So does a
function outside classes. It may first name parts of the index in local variables.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pycparser import c_ast

from ...diagnostics import Rejected
from ...ir import INT, Array, Const, Pointer, Scalar, Struct
from ..desugar import side_effects
from ..desugar.implicit_this import THIS
from ..sema import declarators, dispatch, meanings
from ..sema.meanings import Device
from ..sema.scope import Context
from ..syntax import ast_utils
from ..syntax.qualified_types import Member
from ..syntax.templates import TemplateId
from . import callees, indexed_fields, tensor_rows
from .indexed_fields import Pick
from .memory import pointer_forms, struct_variables

_HEADS = {
    c_ast.If: ("cond",),
    c_ast.While: ("cond",),
    c_ast.DoWhile: ("cond",),
    c_ast.Switch: ("cond",),
    c_ast.For: ("init", "cond", "next"),
}
_INDEX = "[]"  # stands for the index of an element behind a returned pointer
_MAKERS = (c_ast.FuncCall, c_ast.BinaryOp, c_ast.Cast)
_HOLDERS = (c_ast.Compound, c_ast.Label, c_ast.Case, c_ast.Default, c_ast.Pragma, c_ast.AttributedStatement)


def opened(ctx: Context, node: Any) -> Any:
    """Replace such calls in a statement by what they return; in a control statement, only in its head."""
    if ctx.unit.emitted or isinstance(node, _HOLDERS):
        return node
    names = ctx.unit.methods
    referring = _referring(ctx)
    if not (names or referring):
        return node
    slots = next((slots for kind, slots in _HEADS.items() if isinstance(node, kind)), None)
    if slots is None:
        return indexed_fields.assigned(ctx, _Opening(ctx, names, referring).of(node))
    made = node
    for slot in slots:
        new = _Opening(ctx, names, referring).of(getattr(node, slot))
        if new is not getattr(node, slot):
            made = copy.copy(node) if made is node else made
            setattr(made, slot, new)
    if made is not node:
        ctx.unit.written.stands_for(made, node)
    return made


def _referring(ctx: Context) -> set[str]:
    """Return the names of functions that return a reference."""
    named = ctx.unit.inlined.items()
    found = {name for name, each in named if any(declarators.returns_reference(d.inline) for d in each)}
    return found | ctx.unit.instances.referring if ctx.unit.instances is not None else found


class _Opening:
    def __init__(self, ctx: Context, names: set[str], referring: set[str]) -> None:
        self.ctx = ctx
        self.names = names
        self.referring = referring

    def of(self, node: Any) -> Any:
        """Replace calls of accessors in the node by what they return, inner calls first."""
        if node is None or isinstance(node, _HOLDERS):
            return node
        if isinstance(node, c_ast.ArrayRef) and (found := self.nested(node)) is not None:
            self.ctx.unit.written.stands_for(found, node)
            return found
        made = ast_utils.rebuilt(node, self.of)
        found = indexed_fields.field(made) or self.accessed(made)
        if found is not None:
            made = self.of(found)  # the result may contain such calls in turn
        if made is not node:
            self.ctx.unit.written.stands_for(made, node)
        return made

    def nested(self, node: Any) -> Any | None:
        """Return what `x[i][j]` names, if the object's operator takes both indices."""
        args: list[Any] = []
        object_ = node
        while isinstance(object_, c_ast.ArrayRef):
            args.insert(0, object_.subscript)
            object_ = object_.name
        if len(args) < 2 or "operator[]" not in self.names or not struct_variables.named(self.ctx, object_):
            return None
        found = self.part(object_, "operator[]", [self.of(arg) for arg in args])
        return tensor_rows.plainly_indexed(found) if found is not None else None

    def accessed(self, node: Any) -> Any | None:
        """Return the lvalue that a call names, if the callee only names a part of a variable."""
        match node:
            case c_ast.ArrayRef(name=c_ast.FuncCall() as call, subscript=index) if self.of_a_row(call):
                return self.part(call.name.name, call.name.field.name, _arguments(call), index)
            case c_ast.UnaryOp(op="*", expr=c_ast.FuncCall() as call) if self.of_a_row(call):
                first = c_ast.Constant("int", "0", call.coord)
                return self.part(call.name.name, call.name.field.name, _arguments(call), first)
            case c_ast.ArrayRef(name=object_, subscript=subscript) if "operator[]" in self.names:
                return self.part(object_, "operator[]", [subscript]) or self.called(node)
            case c_ast.FuncCall(name=c_ast.StructRef(name=object_, type=".", field=c_ast.ID(name=name))) if (
                name in self.names
            ):
                return self.part(object_, name, _arguments(node))
            case c_ast.FuncCall(name=object_) if "operator()" in self.names and not (
                isinstance(object_, c_ast.ID) and self.ctx.lookup(object_.name) is None
            ):
                return self.part(object_, "operator()", _arguments(node))
            case c_ast.FuncCall(name=Member()):
                return self.element(node)
            case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)) if name in self.referring:
                return self.element(node)
            case _:
                return None

    def of_a_row(self, call: Any) -> bool:
        """Whether a call is of a method that returns a pointer: `a[i][j]` was `a.operator[](i)[j]` before."""
        match call.name:
            case c_ast.StructRef(name=object_, type=".", field=c_ast.ID(name=name)) if (
                name in self.names and struct_variables.named(self.ctx, object_)
            ):
                type = struct_variables.static_access(self.ctx, object_)
                found = self.ctx.unit.functions.get(f"{getattr(type, 'name', '')}::{name}", ())
                return any(isinstance(d.result, Pointer) for d in found)
            case _:
                return False

    def called(self, node: Any) -> Any | None:
        """Write `v[k]` as a call, if the operator returns a value."""
        if not struct_variables.named(self.ctx, node.name):
            return None
        type = struct_variables.static_access(self.ctx, node.name)
        if not isinstance(type, Struct) or type.extents:
            return None
        known = self.ctx.unit.functions.get(f"{type.name}::operator[]", ())
        if not known or any(d.inline is None for d in known):
            return None
        if any(declarators.returns_reference(d.inline) for d in known):
            return None
        method = c_ast.StructRef(node.name, ".", c_ast.ID("operator[]", node.coord), node.coord)
        self.ctx.unit.written.stands_for(method, node)
        return c_ast.FuncCall(method, c_ast.ExprList([node.subscript], node.coord), node.coord)

    def element(self, call: Any) -> Any | None:
        """Return what a call names, if the function returns an element of an argument, or a variable."""
        args = _arguments(call)
        found = [d for d in callees.devices(self.ctx, call) if meanings.takes(d, len(args))]
        overloaded = len(found) > 1 and all(d.inline is not None for d in found)
        if overloaded and any(declarators.returns_reference(d.inline) for d in found):
            found = [callees.chosen(self.ctx, call, args, found)]
        function = found[0].inline if len(found) == 1 else None
        if function is None or len(found[0].params) != len(args):
            return None
        refers = declarators.returns_reference(function)
        if not refers and not overloaded:
            return None
        before, expr = _returned_place(function)
        if expr is None:
            return None
        given = self.given(found[0], args, 0)
        if not all(self.stands(found[0], k, arg) for k, arg in enumerate(given.values())):
            return None
        bound = _constants(found[0])
        count = _mentions(_put(expr, _in_turn(before), {}))
        through = self.ctx.function.through
        pure = {p: side_effects.survey(arg, through=through) is side_effects.PURE for p, arg in given.items()}
        if not all(pure[name] or count[name] == 1 for name in given):
            return None
        if isinstance(expr, c_ast.TernaryOp) and not all(pure.values()):
            return None
        if not all(name in given or name in bound or self.of_the_file(name) for name in count):
            return None
        for part in before:
            given[part.name] = self.converted(part, _put(part.init, given, bound))
        made = indexed_fields.decided(self.ctx, _put(expr, given, bound))
        return made if refers or self.is_value_of(made, found[0].result) else None

    def is_value_of(self, made: Any, type: Any) -> bool:
        """Whether a function that returns such a number by value returns that of the lvalue, unconverted."""
        return isinstance(type, Scalar) and not isinstance(made, Pick) and self.has_type(made, type)

    def converted(self, part: Any, value: Any) -> Any:
        """Convert the value of a variable to its type, where the types differ."""
        type, _ = declarators.type_of(self.ctx, part.type)
        if not isinstance(type, Scalar) or self.has_type(value, type):
            return value
        kind = c_ast.TypeDecl(None, [], None, part.type.type, part.coord)
        return c_ast.Cast(c_ast.Typename(None, [], None, kind, part.coord), value, part.coord)

    def of_the_file(self, name: str) -> bool:
        """Whether a name has the same meaning here as at file scope."""
        meant = self.ctx.scopes[0].get(name)
        return meant is not None and self.ctx.lookup(name) is meant

    def stands(self, device: Device, k: int, arg: Any) -> bool:
        """Whether an argument may replace its parameter in the returned lvalue."""
        type = device.params[k]
        if isinstance(type, Pointer):
            return isinstance(type.target, Scalar | Array)
        if k not in device.references:
            return isinstance(type, Scalar)
        if isinstance(type, Struct):
            return (
                struct_variables.named(self.ctx, arg)
                and struct_variables.static_access(self.ctx, arg) == type
            )
        return pointer_forms.is_place(self.ctx, arg) and callees.type_of(self.ctx, arg) == type

    def part(self, object_: Any, name: str, args: list[Any], index: Any | None = None) -> Any | None:
        """Return the part of an object that a method returns; with `index`, that element behind a pointer."""
        if isinstance(object_, Pick):
            parts = [self.part(each, name, args) for each in (object_.iftrue, object_.iffalse)]
            return None if None in parts else Pick(object_.cond, *parts, object_.coord)
        if struct_variables.named(self.ctx, object_):
            type = struct_variables.static_access(self.ctx, object_)
        elif isinstance(object_, _MAKERS):
            type = dispatch.static(self.ctx, object_)
        else:
            return None
        if not isinstance(type, Struct) or type.extents:
            return None
        devices = [
            d
            for d in self.ctx.unit.functions.get(f"{type.name}::{name}", ())
            if len(d.params) == len(args) + 1
        ]
        refers = any(d.inline is not None and declarators.returns_reference(d.inline) for d in devices)
        returned = [_returned(d, refers) if index is None else _behind(d) for d in devices]
        first = returned[0] if returned else None
        if first is None or any(r is None or not _alike(first, r) for r in returned):
            return None
        device = devices[0]
        assert device.inline is not None
        given = self.given(device, args)
        if index is not None:
            given[_INDEX] = index
        count = _mentions(first)
        chooses = any(isinstance(p, c_ast.TernaryOp) for p in _parts(first))
        for param, arg in given.items():
            if chooses:
                if side_effects.survey(arg) is not side_effects.PURE:
                    return None
            elif count[param] > 1 and not isinstance(arg, c_ast.ID | c_ast.Constant):
                return None
            if count[param] == 0 and arg is not None and side_effects.survey(arg) is not side_effects.PURE:
                return None
        bound = _constants(device)
        known = {THIS, *given, *bound}
        if not set(count) <= known:
            return None
        if index is not None:
            return self.behind(_put(first, {**given, THIS: object_}, bound), index)
        made = indexed_fields.decided(self.ctx, _put(first, {**given, THIS: object_}, bound))
        if isinstance(object_, _MAKERS) and isinstance(made, Pick):
            return None  # the object would be constructed once for each field
        copies = [d for d in devices if not declarators.returns_reference(d.inline)]
        return None if any(self.converts(made, d) for d in copies) else made

    def behind(self, made: Any, index: Any) -> Any | None:
        """Return an element behind a pointer if its index is a sum of `int`, so the pointer adds the same."""
        if made.subscript is not index and not all(self.has_type(e, INT) for e in (made.subscript, index)):
            return None
        return made

    def converts(self, made: Any, device: Device) -> bool:
        """Whether an operator that returns a value converts the part to another type."""
        if isinstance(device.result, Scalar):
            return not self.has_type(made, device.result)
        return isinstance(made, Pick) or dispatch.static(self.ctx, made) != device.result

    def given(self, device: Device, args: list[Any], first: int = 1) -> dict[str, Any]:
        """Map the parameters' names, from number `first` on, to the arguments, converted to their types."""
        assert device.inline is not None
        params = declarators.parameters(device.inline)[first:]
        found: dict[str, Any] = {}
        for param, type, arg in zip(params, device.params[first:], args, strict=True):
            if isinstance(type, Scalar) and not self.has_type(arg, type):
                words = c_ast.IdentifierType(type.name.split(), arg.coord)
                plain = c_ast.TypeDecl(None, [], None, words, arg.coord)
                arg = c_ast.Cast(c_ast.Typename(None, [], None, plain, arg.coord), arg, arg.coord)
            found[str(param.name)] = arg
        return found

    def has_type(self, arg: Any, type: Scalar) -> bool:
        try:
            return callees.type_of(self.ctx, arg) == type
        except Rejected:
            return True  # the error is reported where the argument is lowered


def _constants(device: Device) -> dict[str, Const]:
    """Return the constants among the template parameters of a function or of its class."""
    return {k: v for k, v in (device.bindings or {}).items() if isinstance(v, Const)}


def _returned_place(function: Any) -> tuple[list[Any], Any | None]:
    """Return the lvalue that a function returns a reference to, and the variables declared before it."""
    *before, last = function.body.block_items or [None]
    if not isinstance(last, c_ast.Return) or last.expr is None:
        return [], None
    for item in before:
        match item:
            case c_ast.Decl(type=c_ast.TypeDecl(type=c_ast.IdentifierType()), init=c_ast.Node() as init) if (
                not isinstance(init, c_ast.InitList) and side_effects.survey(init) is side_effects.PURE
            ):
                pass
            case _:
                return [], None
    whole = _put(last.expr, _in_turn(before), {})
    return before, last.expr if _names_an_element(whole) else None


def _in_turn(before: list[Any]) -> dict[str, Any]:
    """Map each variable to its initialiser, with the earlier variables substituted."""
    named: dict[str, Any] = {}
    for item in before:
        named[item.name] = _put(item.init, named, {})
    return named


def _names_an_element(node: Any) -> bool:
    """Whether an expression without side effects is an element of a parameter, or a parameter itself."""
    match node:
        case c_ast.ID():
            return True
        case c_ast.ArrayRef(name=inner, subscript=index):
            return side_effects.survey(index) is side_effects.PURE and _names_an_element(inner)
        case c_ast.StructRef(name=inner, type="."):
            return _names_an_element(inner)
        case c_ast.UnaryOp(op="*", expr=c_ast.ID()):
            return True
        case c_ast.UnaryOp(op="*", expr=c_ast.BinaryOp(op="+", left=c_ast.ID(), right=by)):
            return side_effects.survey(by) is side_effects.PURE
        case c_ast.TernaryOp(cond=cond, iftrue=first, iffalse=second):
            pure = side_effects.survey(cond) is side_effects.PURE
            return pure and _names_an_element(first) and _names_an_element(second)
        case _:
            return False


def _arguments(call: Any) -> list[Any]:
    return list(call.args.exprs) if call.args is not None else []


def _returned(device: Device, beside: bool) -> Any | None:
    """Return what a method's only statement returns by reference, or by value for a constant object.

    The latter only for `operator[]`, and `beside` a method of that name that returns a reference.
    """
    if device.inline is None or 0 not in device.references:
        return None
    number = isinstance(device.result, Scalar) and device.name.endswith("::operator[]")
    reads = 0 in device.fixed and (number or (beside and isinstance(device.result, Scalar | Struct)))
    if not reads and not declarators.returns_reference(device.inline):
        return None
    match device.inline.body:
        case c_ast.Compound(block_items=[c_ast.Return(expr=expr)]) if _names_a_part(expr):
            return expr
        case _:
            return None


def _behind(device: Device) -> Any | None:
    """Return the element number `_INDEX` behind the pointer to a part of the object that a method returns."""
    target = getattr(device.result, "target", None)
    if device.inline is None or 0 not in device.references or not isinstance(target, Scalar):
        return None
    match device.inline.body:
        case c_ast.Compound(block_items=[c_ast.Return(expr=expr)]) if expr is not None:
            pass
        case _:
            return None
    row, first = _begun(expr)
    if not _names_a_part(row) or isinstance(row, c_ast.TernaryOp):
        return None
    at: Any = c_ast.ID(_INDEX, expr.coord)
    if first is not None and side_effects.survey(first) is not side_effects.PURE:
        return None
    if first is not None and not (isinstance(first, c_ast.Constant) and first.value == "0"):
        at = c_ast.BinaryOp("+", first, at, expr.coord)
    return c_ast.ArrayRef(row, at, expr.coord)


def _begun(pointer: Any) -> tuple[Any, Any | None]:
    """Return the array that a pointer is into, and the index of the element that it points to."""
    match pointer:
        case c_ast.BinaryOp(op="+", left=array, right=first):
            return array, first
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=array, subscript=first)):
            return array, first
        case _:
            return pointer, None


def _names_a_part(node: Any) -> bool:
    match node:
        case c_ast.StructRef(name=c_ast.ID(name=name), type=".") if name == THIS:
            return True
        case c_ast.StructRef(name=inner, type="."):
            return _names_a_part(inner)
        case c_ast.ArrayRef(name=inner, subscript=index):
            return _names_a_part(inner) and side_effects.survey(index) is side_effects.PURE
        case c_ast.TernaryOp(cond=cond, iftrue=first, iffalse=second):
            pure = side_effects.survey(cond) is side_effects.PURE and THIS not in ast_utils.names(cond)
            return pure and _names_a_part(first) and _names_a_part(second)
        case _:
            return False


def _parts(node: Any) -> Iterator[Any]:
    yield node
    for part in ast_utils.parts(node):
        yield from _parts(part)


def _mentions(node: Any) -> Counter[str]:
    found = Counter([node.name]) if isinstance(node, c_ast.ID) else Counter[str]()
    return sum((_mentions(part) for part in ast_utils.parts(node)), found)


def _alike(a: Any, b: Any) -> bool:
    """Whether two nodes are structurally equal: `operator[]` of a constant object and of any other."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    if not isinstance(a, c_ast.Node):
        return bool(a == b)
    slots = [s for s in a.__slots__ if s not in ("coord", "__weakref__")]
    return all(_alike(getattr(a, s), getattr(b, s)) for s in slots)


def _put(node: Any, given: Mapping[str, Any], bound: Mapping[str, Const]) -> Any:
    """Substitute arguments for parameters, and constants for the names of template parameters."""
    match node:
        case c_ast.ID(name=name) if name in given:
            return given[name]
        case c_ast.ID(name=name) if name in bound:
            return c_ast.Constant("int", str(bound[name].value), node.coord)
        case c_ast.StructRef():
            return c_ast.StructRef(_put(node.name, given, bound), node.type, node.field, node.coord)
        case c_ast.Node():
            new = ast_utils.rebuilt(copy.copy(node), lambda part: _put(part, given, bound))
            return new.left if _adds_nothing(new) and not _adds_nothing(node) else new
        case _:
            return node


def _adds_nothing(node: Any) -> bool:
    """Whether a node is `e + 0`: an argument of 0 may give the start of a row."""
    match node:
        case c_ast.BinaryOp(op="+", right=c_ast.Constant(type="int", value="0")):
            return True
        case _:
            return False
