"""Resolve which function a call or an operator means, without evaluating anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ...diagnostics import Code, Rejected
from ...ir import AddressOf, Expr, Pointer, Struct, Type
from ..sema import declarators, dispatch, evaluation, meanings, null_checks
from ..sema.meanings import Device
from ..sema.scope import Context, listed
from ..syntax import ast_utils
from ..syntax.qualified_types import Member
from ..syntax.templates import TemplateId
from ..types import overload_resolution, types
from ..types.builtins import BUILTINS
from .const_overloads import Fitting
from .memory import carrier_words, pointer_forms, struct_variables

_NAMES = {"p++": "++", "p--": "--"}


@dispatch.type_of.otherwise
def type_of(ctx: Context, node: c_ast.Node) -> Type:
    """Return the type of an argument without evaluating it."""
    found = dispatch.static(ctx, node)
    if found is not None:
        return found
    if struct_variables.named(ctx, node) and meanings.is_struct(
        pointer := struct_variables.static_access(ctx, node)
    ):
        assert pointer is not None
        return pointer
    taken = set(ctx.taken)
    with ctx.collecting(), ctx.arm():
        type = (evaluation.value if ctx.unit.emitted else argument)(ctx, node).type
    ctx.taken.intersection_update(taken)
    return type


def chosen(ctx: Context, node: c_ast.Node, args: Sequence[c_ast.Node], choices: Sequence[Device]) -> Device:
    """Return the overload that a call means."""
    fitting = [d for d in choices if meanings.takes(d, len(args))]
    raise_refused(ctx, node, fitting)
    choices = [d for d in choices if not d.refused]
    if len(fitting) == 1:
        return fitting[0]
    given = [type_of(ctx, arg) for arg in args]
    choices = fitting or choices
    best = _best(
        ctx, choices, overload_resolution.choose([d.params[: len(args)] for d in choices], given), args
    )
    if len(best) != 1:
        raise wrong(ctx, node, choices[0].name, given, [d.params for d in choices], ambiguous=bool(best))
    return choices[best[0]]


def _best(ctx: Context, choices: Sequence[Device], best: list[int], args: Sequence[c_ast.Node]) -> list[int]:
    """Return the overloads that are left of equally good ones: one, or several if the call is ambiguous."""
    return plainest(
        choices, Fitting(ctx, _returns_const).best(choices, best, args) if len(best) > 1 else best
    )


def _returns_const(ctx: Context, node: c_ast.FuncCall) -> bool:
    """Whether a call returns a reference to const."""
    found = reference(ctx, node)
    kind = found[0].inline.decl.type.type.type if found is not None and found[0].inline is not None else None
    return "const" in (getattr(kind, "quals", None) or ())


def raise_refused(ctx: Context, node: c_ast.Node, choices: Sequence[Device]) -> None:
    """Refuse a call that may mean a method whose types are unknown, for the reason they are unknown."""
    span = ctx.span(node)
    for device in choices:
        if device.refused:
            used = ((span, "used here"),) if span is not None else ()
            raise Rejected(*(replace(d, related=(*d.related, *used)) for d in device.refused))


def plainest(choices: Sequence[Device], best: list[int]) -> list[int]:
    """Prefer a non-template, or else the most specialised template, among equally good overloads."""
    plain = [k for k in best if choices[k].bindings is None]
    if len(plain) == 1 or len(best) < 2:
        return plain or best
    special = [k for k in best if all(k == j or covers(choices[j], choices[k]) for j in best)]
    return special if len(special) == 1 else best


def devices(ctx: Context, node: c_ast.FuncCall) -> Sequence[Device]:
    """Return the functions that a call may mean: those of its name, and one instance of each template.

    If CUDA has a function of that name, omit the file's overloads that take a struct and are given none.
    """
    if isinstance(node.name, Member):
        assert ctx.unit.generic is not None
        type, _ = ctx.unit.generic.member(ctx, node.name)
        return ctx.unit.functions.get(f"{types.spell(type)}::{node.name.of.member}", ())
    name = node.name.name
    explicit = node.name.args if isinstance(node.name, TemplateId) else []
    plain = () if explicit else ctx.unit.functions.get(name, ())
    if name in BUILTINS:
        count = len(node.args.exprs) if node.args is not None else 0
        plain = tuple(d for d in plain if meanings.takes(d, count) and _gets_structs(ctx, node, d))
    if ctx.unit.instances is None or not ctx.unit.instances.known(name):
        return plain
    if id(node) not in ctx.candidates:
        given = [type_of(ctx, arg) for arg in (node.args.exprs if node.args is not None else ())]
        ctx.candidates[id(node)] = ctx.unit.instances.candidates(ctx, node, name, explicit, given)
    return (*plain, *ctx.candidates[id(node)])


def _gets_structs(ctx: Context, node: c_ast.FuncCall, device: Device) -> bool:
    """Whether every struct parameter of a function is given a struct."""
    args = node.args.exprs if node.args is not None else ()
    pairs = zip(device.params, args, strict=False)
    return all(dispatch.static(ctx, arg) is not None for to, arg in pairs if isinstance(to, Struct))


def operator(ctx: Context, node: c_ast.Node) -> Device | None:
    """Return the function that an operator means, if one of its operands is a struct."""
    found = _overloads(ctx, node)
    if found is None:
        return None
    choices, given = found
    parts = ast_utils.operands(node)
    best = _best(ctx, choices, overload_resolution.choose([d.params for d in choices], given), parts)
    return choices[best[0]] if len(best) == 1 else None


def _overloads(ctx: Context, node: c_ast.Node) -> tuple[Sequence[Device], list[Type]] | None:
    """Return the overloads of an operator on structs, and the types of its operands."""
    name = "operator" + _NAMES.get(node.op, node.op)
    choices = ctx.unit.functions.get(name, ())
    parts = ast_utils.operands(node)
    if not any(evaluation.static_or_none(ctx, part) for part in parts):
        return None
    choices = tuple(d for d in choices if not d.refused)
    templates = ctx.unit.instances is not None and ctx.unit.instances.known(name)
    if not choices and not templates:
        return (), []
    given = [type_of(ctx, part) for part in parts]
    if templates:
        assert ctx.unit.instances is not None
        choices += tuple(_instances(ctx, node, name, given))
    return choices, given


def _instances(ctx: Context, node: c_ast.Node, name: str, given: list[Type]) -> list[Device]:
    """Return the instances of an operator's templates that accept such operands."""
    assert ctx.unit.instances is not None
    try:
        return ctx.unit.instances.candidates(ctx, node, name, (), given)
    except Rejected:
        return []


def no_operator(ctx: Context, node: c_ast.Node) -> Rejected:
    """Return the refusal of an operator that is undefined or ambiguous."""
    named = ctx.unit.functions.get("operator" + _NAMES.get(node.op, node.op), ())
    raise_refused(ctx, node, [d for d in named if meanings.takes(d, len(ast_utils.operands(node)))])
    op = _NAMES.get(node.op, node.op)
    for part in ast_utils.operands(node):
        if carrier_words.is_word(of := evaluation.static_or_none(ctx, part)):
            return struct_variables.not_a_number(ctx, part, of)
        if of is not None and f"operator{op}" in getattr(ctx.unit.classes.get(of.name), "passed", ()):
            what = f"the operator `{op}` of `{of.name}`, a template"
            return ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="define it outside the class")
    given = [types.spell(type_of(ctx, part)) for part in ast_utils.operands(node)]
    title = f"no operator `{op}` for {' and '.join(given)}"
    return ctx.type_error(node, title, f"define `operator{op}` or write it field by field")


def method(ctx: Context, node: c_ast.FuncCall) -> tuple[list[c_ast.Node], Sequence[Device]] | None:
    """Return the arguments of `v.len(w)` or `v(w)` and its overloads; None if `v` is no struct."""
    target, name = node.name, "operator()"
    if isinstance(node.name, c_ast.StructRef):
        target, name = node.name.name, node.name.field.name
        if node.name.type == "->" and not (isinstance(target, c_ast.ID) and target.name == "this"):
            target = c_ast.UnaryOp("*", target, target.coord)
    type = dispatch.static(ctx, target)
    if type is None:
        return None
    choices = ctx.unit.functions.get(f"{type.name}::{name}", ())
    if not choices and isinstance(node.name, c_ast.StructRef) and _is_field(type, name):
        target, choices = node.name, _of_field(ctx, node)
    if not choices and name in getattr(ctx.unit.classes.get(type.name), "passed", ()):
        what = f"the method `{name}` of `{type.name}`, a template or a host function"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write a function outside the class")
    if not choices and name in getattr(ctx.unit.classes.get(type.name), "elsewhere", ()):
        what = f"the method `{name}` of `{type.name}`, which isn't defined in the class"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="define it where it is declared")
    if not choices:
        title = f"`{type.name}` has no method `{name}` that can be called"
        raise ctx.type_error(node, title, "not found, or not a device function")
    return [target, *(node.args.exprs if node.args is not None else [])], choices


def _is_field(type: Struct, name: str) -> bool:
    return any(field.name == name and isinstance(field.type, Struct) for field in type.fields)


def _of_field(ctx: Context, node: c_ast.FuncCall) -> tuple[Device, ...]:
    """Return the overloads of `w.m(i, j)`, where `m` is a field; what changes something is refused.

    The ordering of side effects takes it for a call of a method `m` (side_effects.py).
    """
    type = dispatch.static(ctx, node.name)
    assert type is not None
    if ctx.function.through.get(".operator()"):
        text = ctx.unit.written.text(node.name)
        what = f"a call of the field `{text}`, as its `operator()` may change something"
        help = f"call it by another name: `auto &f = {text};`, `f(…)`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    return ctx.unit.functions.get(f"{type.name}::operator()", ())


def is_functor(ctx: Context, node: c_ast.FuncCall) -> bool:
    """Whether the callee is a value of struct type: `op(a, b)`, `Add()(a, b)`."""
    match node.name:
        case c_ast.ID(name=name):
            return ctx.lookup(name) is not None and dispatch.static(ctx, node.name) is not None
        case TemplateId() | Member() | c_ast.StructRef():
            return False
        case _:
            return dispatch.static(ctx, node.name) is not None


def no_struct(ctx: Context, node: c_ast.FuncCall) -> Rejected:
    """Return the refusal of a method call on a non-struct; raise Rejected if the object has no value."""
    target = node.name.name if isinstance(node.name, c_ast.StructRef) else node.name
    spelled = types.spell(evaluation.value(ctx, target).type)
    return ctx.type_error(target, f"{spelled} has no methods", f"this is {spelled}")


@dispatch.refers.otherwise
def refers(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is a call of a function that returns a reference."""
    return isinstance(node, c_ast.FuncCall) and not ctx.unit.emitted and reference(ctx, node) is not None


def reference(ctx: Context, node: c_ast.FuncCall) -> tuple[Device, list[c_ast.Node]] | None:
    """Return the reference-returning function that a call means, and its arguments; else None."""
    args = list(node.args.exprs) if node.args is not None else []
    choices: Sequence[Device] = ()
    if isinstance(node.name, c_ast.StructRef) or is_functor(ctx, node):
        args, choices = method(ctx, node) or (args, choices)
    elif isinstance(node.name, c_ast.ID | TemplateId | Member):
        choices = devices(ctx, node)
    if not any(d.inline is not None and declarators.returns_reference(d.inline) for d in choices):
        return None
    device = chosen(ctx, node, args, choices)
    refers = device.inline is not None and declarators.returns_reference(device.inline)
    return (device, args) if refers else None


def argument(ctx: Context, node: c_ast.Node) -> Expr:
    """Lower an argument that may be an lvalue; a pointer becomes the address of its target."""
    if ast_utils.is_null(node) and not _is_number(node):
        return null_checks.NULL
    if not pointer_forms.is_pointer(ctx, node):
        return evaluation.value(ctx, node)
    at = dispatch.pointer(ctx, node)
    return AddressOf(at, Pointer(at.type, const=pointer_forms.is_const(ctx, node)), span=ctx.span(node))


def _is_number(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and node.value != "nullptr"


def wrong(
    ctx: Context,
    node: c_ast.Node,
    name: str,
    given: Sequence[Type],
    choices: Sequence[Sequence[Type]],
    *,
    ambiguous: bool = False,
    wanted: str = "",
) -> Rejected:
    """Return the refusal of a call that fits no overload or several, or isn't as `wanted`."""
    elsewhere = getattr(ctx.unit.written, "has_defaults_before", None)
    if elsewhere is not None and any(len(given) < len(params) for params in choices) and elsewhere(name):
        what = f"a default argument in a declaration of `{name}` other than its definition"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="write the value in the call")
    shown = [f"{name}({listed([types.spell(p) for p in params])})" for params in choices]
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    return ctx.reject(
        Code.AMBIGUOUS_CALL if ambiguous else Code.WRONG_ARGUMENTS,
        node,
        name=name,
        given=listed([types.spell(t) for t in given]),
        known=wanted or listed(shown[:4]) + more,
    )


def covers(general: Device, special: Device) -> bool:
    """Whether one function template accepts all that another does, so that the other is preferred."""
    if general.patterns is None or special.patterns is None:
        return False
    (takes, names), (given, _) = general.patterns, special.patterns
    bound: dict[str, str] = {}
    return len(takes) == len(given) and all(
        _takes(a, b, names, bound) for a, b in zip(takes, given, strict=True)
    )


def _takes(general: c_ast.Node, special: c_ast.Node, names: frozenset[str], bound: dict[str, str]) -> bool:
    """Whether template parameters in one declarator can be bound so that it equals the other."""
    general, special = _bare(general), _bare(special)
    match general:
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])) if name in names:
            said = _spelled(special)
            return bound.setdefault(name, said) == said
        case c_ast.PtrDecl() | c_ast.ArrayDecl():
            same = isinstance(special, c_ast.PtrDecl | c_ast.ArrayDecl)
            return same and _takes(general.type, special.type, names, bound)
        case _:
            return _spelled(general) == _spelled(special)


def _bare(node: c_ast.Node) -> c_ast.Node:
    """Return a declarator without a reference around it."""
    reference = isinstance(node, c_ast.PtrDecl) and "&" in (node.quals or ())
    return node.type if reference else node


def _spelled(node: c_ast.Node) -> str:
    match node:
        case c_ast.PtrDecl() | c_ast.ArrayDecl():
            return f"{_spelled(node.type)} *"
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=names)):
            return " ".join(names)
        case _:
            return repr(id(node))
