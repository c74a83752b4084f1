"""Function templates made into functions: which arguments, which types, under which name.

A template is lowered once for each set of arguments that it is called with, as the call
that needs it is lowered; so callees stand before their callers here too. An instance's
name has in it those arguments that its parameters don't tell apart: of `template <int N>
float power(float x)` the emitted file has `power_3`, of `template <class T> T square(T x)`
it has `square`, overloaded where several types are in use.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Diagnostic, Rejected
from ..ir import Const, Function, Scalar, Type
from . import constants, declared, free, lower, lower_expr, types
from .angles import Template, TemplateParameter
from .context import Context, Device, listed
from .templates import Argument

Bindings = dict[str, Type | Const]
"""What the parameters of a template stand for, in their order."""

DEEPEST = 64
"""How many instances may be in the making at once."""


def of_kernel(
    ctx: Context, template: Template, arguments: Sequence[Argument], problems: list[Diagnostic]
) -> Bindings:
    """What the parameters of the kernel's template stand for; they were given as text."""
    bound: Bindings = {}
    given = {argument.name: argument.text for argument in arguments}
    for parameter in template.params:
        if not parameter.name:
            continue
        text = given[parameter.name]
        try:
            bound[parameter.name] = _from_text(_inner(ctx, bound), parameter, text)
        except Rejected as rejected:
            problems.extend(rejected.diagnostics)
            bound[parameter.name] = ir.FLOAT if parameter.type is None else Const(1, ir.INT)
    return bound


def _from_text(ctx: Context, parameter: TemplateParameter, text: str) -> Type | Const:
    text = re.sub(r"(?:\w+\s*)?::\s*", "", text)
    if parameter.type is None:
        words = [word for word in text.split() if word != "const"]
        node = c_ast.IdentifierType(words, parameter.coord)
        type, _ = declared.type_of(ctx, node)
        return type
    names = {name: it for scope in ctx.scopes for name, it in scope.items()}
    value = constants.evaluate(free.expression(text, names, "--template"), ctx.values)
    return _number(ctx, parameter, parameter, value, text)


def _number(
    ctx: Context, parameter: TemplateParameter, at: c_ast.Node, value: int | float | bool | None, text: str
) -> Const:
    type, _ = declared.type_of(ctx, parameter.type)
    if value is None or not isinstance(type, Scalar):
        raise ctx.reject(
            Code.NOT_CONSTANT,
            at,
            what=f"the template argument {parameter.name}",
            text=text,
            help="write a number or a constant",
        )
    return Const(types.wrap(value, type), type)


def _inner(ctx: Context, bound: Bindings) -> Context:
    """The file's context with a template's parameters in it."""
    inner = Context(
        ctx.written,
        emitted=ctx.emitted,
        scopes=[ctx.scopes[0]],
        typedefs=[ctx.typedefs[0]],
        functions=ctx.functions,
        instances=ctx.instances,
        values=ctx.values,
    )
    inner.bind(bound)
    return inner


@dataclass(frozen=True)
class _Made:
    """One set of arguments for a template."""

    function: c_ast.FuncDef
    bound: Bindings


class Instances:
    """The function templates of a closure; their instances go to `functions` as they are lowered."""

    def __init__(
        self,
        ctx: Context,
        templates: Sequence[Template],
        functions: dict[str, Function],
        calls: dict[str, set[str]],
        problems: list[Diagnostic],
    ) -> None:
        self._ctx = ctx
        self._functions = functions
        self._calls = calls
        self._problems = problems
        self._templates: dict[str, list[Template]] = defaultdict(list)
        self._special: dict[str, list[Template]] = defaultdict(list)
        defined = {t.decl.name for t in templates if t.params and t.function.body is not None}
        for template in templates:
            if template.function.body is None and template.decl.name in defined:
                continue
            listed = self._templates if template.params else self._special
            listed[template.decl.name].append(template)
        self._devices: dict[tuple[int, tuple[Type | Const, ...]], Device] = {}
        self._made: dict[str, _Made] = {}
        self._under_way: list[str] = []

    def known(self, name: str) -> bool:
        """Whether there is a template of that name."""
        return name in self._templates

    def candidates(
        self, ctx: Context, node: c_ast.FuncCall, explicit: Sequence[c_ast.Node], given: Sequence[Type]
    ) -> list[Device]:
        """The instances that a call could mean, one of each template at most."""
        found: list[Device] = []
        wrong: list[Rejected] = []
        for template in self._templates[node.name.name]:
            try:
                bound = self._bound(ctx, template, node, explicit, given)
                found.append(self._device(template, bound))
            except Rejected as rejected:  # then it is another one that is meant
                wrong.append(rejected)
        if not found and wrong and node.name.name not in ctx.functions:
            raise wrong[0]
        return found

    def lowered(self, ctx: Context, node: c_ast.FuncCall, device: Device) -> None:
        """See to it that the body of an instance that is called is there."""
        if device.key in self._functions:
            return
        if device.key in self._under_way:
            raise ctx.reject(Code.RECURSION, node, name=node.name.name)
        if len(self._under_way) >= DEEPEST:
            raise ctx.reject(Code.TOO_DEEP, node, limit=str(DEEPEST))
        made = self._made[device.key]
        self._under_way.append(device.key)
        function, called = lower.function(
            self._ctx, made.function, self._problems, is_kernel=False, bound=made.bound, name=device.name
        )
        self._under_way.pop()
        self._functions[device.key], self._calls[device.key] = function, called

    # ---- arguments -----------------------------------------------------------

    def _bound(
        self,
        ctx: Context,
        template: Template,
        node: c_ast.FuncCall,
        explicit: Sequence[c_ast.Node],
        given: Sequence[Type],
    ) -> Bindings:
        """What the parameters stand for in a call: as written there, as deduced, by default."""
        found: Bindings = {}
        for parameter, written in zip(template.params, explicit, strict=False):
            found[parameter.name] = _explicit(ctx, parameter, written)
        kinds = {p.name for p in template.params if p.type is None}
        for declaration, argument in zip(lower.parameters(template.function), given, strict=False):
            name, type = _deduced(declaration.type, argument)
            if name in kinds and type is not None:
                known = found.setdefault(name, type)
                fixed = len(explicit) > [p.name for p in template.params].index(name)
                if not fixed and not isinstance(known, Const) and not types.same(known, type):
                    raise self._open(ctx, node, given, name)
        for parameter in template.params:
            if parameter.name and parameter.name not in found:
                if parameter.default is None:
                    raise self._open(ctx, node, given, parameter.name)
                found[parameter.name] = _explicit(_inner(ctx, found), parameter, parameter.default)
        return {p.name: found[p.name] for p in template.params if p.name}

    def _open(self, ctx: Context, node: c_ast.FuncCall, given: Sequence[Type], names: str) -> Rejected:
        shown = listed([types.spell(type) for type in given])
        return ctx.reject(Code.NOT_DEDUCED, node, name=node.name.name, names=names, given=shown)

    # ---- functions -----------------------------------------------------------

    def _device(self, template: Template, bound: Bindings) -> Device:
        made = (id(template), tuple(bound.values()))
        if made not in self._devices:
            self._devices[made] = self._declared(template, bound)
        return self._devices[made]

    def _declared(self, template: Template, bound: Bindings) -> Device:
        function = template.function
        inner = _inner(self._ctx, bound)
        params = tuple(lower.decayed(inner, p) for p in lower.parameters(function))
        result, _ = declared.type_of(inner, function.decl.type.type)
        name = self._name(template, bound)
        for special in self._special[template.decl.name]:
            if self._specialises(special, bound, params):
                function, bound = special.function, {}
                break
        if function.body is None:
            raise self._ctx.reject(Code.NOT_DEFINED, function.decl, name=template.decl.name)
        defaults = tuple(getattr(p, "init", None) for p in lower.parameters(function))
        key = "_".join([name, *(types.mangled(t) for t in params)])
        while key in self._made:
            key += "_"
        self._made[key] = _Made(function, bound)
        return lower.with_structs(Device(key, name, params, result, defaults, bindings=bound), function)

    def _specialises(self, special: Template, bound: Bindings, params: tuple[Type, ...]) -> bool:
        if not special.arguments:
            own = tuple(lower.decayed(self._ctx, p) for p in lower.parameters(special.function))
            return own == params
        wanted = list(bound.values())
        for given, value in zip(special.arguments, wanted, strict=False):
            if isinstance(value, Const):
                with self._ctx.full(given):
                    if constants.evaluate(lower_expr.value(self._ctx, given), {}) != value.value:
                        return False
            elif not isinstance(given, c_ast.Typename) or declared.type_of(self._ctx, given)[0] != value:
                return False
        return True

    def _name(self, template: Template, bound: Bindings) -> str:
        """The name of the instance: with the arguments that its parameters don't show."""
        shown = {_deduced(p.type, ir.VOID)[0] for p in lower.parameters(template.function)}
        hidden = [_word(value) for name, value in bound.items() if name not in shown]
        name = "_".join([template.decl.name, *hidden])
        while hidden and (name in self._ctx.functions or name in self._ctx.scopes[0] or self.known(name)):
            name += "_"
        return name


def _explicit(ctx: Context, parameter: TemplateParameter, given: c_ast.Node) -> Type | Const:
    if parameter.type is None:
        if not isinstance(given, c_ast.Typename):
            title = f"the template argument {parameter.name} is a type"
            raise ctx.type_error(given, title, "this is a value")
        type, _ = declared.type_of(ctx, given.type)
        return type
    with ctx.full(given):
        value = constants.evaluate(lower_expr.value(ctx, given), ctx.values)
    return _number(ctx, parameter, given, value, ctx.written.text(given))


def _deduced(declarator: c_ast.Node, type: Type) -> tuple[str, Type | None]:
    """The name that stands for the type of an argument in a parameter's declarator, and what it is then."""
    match declarator, type:
        case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])), _:
            return name, ir.Pointer(type.element) if isinstance(type, ir.Array) else type
        case c_ast.PtrDecl(quals=quals), _ if "&" in (quals or ()):
            return _deduced(declarator.type, type)
        case ((c_ast.PtrDecl() | c_ast.ArrayDecl()), ir.Pointer(target=target)):
            return _deduced(declarator.type, target)
        case ((c_ast.PtrDecl() | c_ast.ArrayDecl()), ir.Array(element=element)):
            return _deduced(declarator.type, element)
        case ((c_ast.PtrDecl() | c_ast.ArrayDecl()), _):
            return _deduced(declarator.type, type)[0], None
        case _:
            return "", None


def _word(value: Type | Const) -> str:
    """A template argument as part of a name."""
    if isinstance(value, Const):
        return re.sub(r"\W", "_", str(value.value).lower().replace("-", "m"))
    return types.mangled(value)
