"""Instantiate function templates: deduce arguments, substitute types, choose names.

A template is lowered once for each set of arguments that it is called with, when the call
is lowered; so callees come before their callers here too. The name of an instance
contains those arguments that its parameter types don't show: for `template <int N>
float power(float x)` the emitted file has `power_3`, for `template <class T> T square(T x)`
it has `square`, overloaded where several types are in use.
"""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Diagnostic, Rejected
from ...ir import Const, Function, Type
from ..source.kernel_template_args import Argument
from ..syntax.qualified_types import ClassName
from ..syntax.templates import Template, TemplateParameter
from ..types import constant_folding, types
from ..types.builtins import BUILTINS
from . import auto_types, declarators, dispatch, evaluation, free
from .class_templates import explicit, number
from .meanings import Bindings, Device
from .scope import Context, listed

DEEPEST = 64
"""How deeply instantiations may nest."""


def of_kernel(
    ctx: Context, template: Template, arguments: Sequence[Argument], problems: list[Diagnostic]
) -> Bindings:
    """Bind the parameters of the kernel's template to arguments that were given as text."""
    bound: Bindings = {}
    given = {argument.name: argument.text for argument in arguments}
    for parameter in template.params:
        if not parameter.name:
            continue
        text = given[parameter.name]
        try:
            bound[parameter.name] = _from_text(ctx.at_file(bound), parameter, text)
        except Rejected as rejected:
            problems.extend(rejected.diagnostics)
            bound[parameter.name] = ir.FLOAT if parameter.type is None else Const(1, ir.INT)
    for condition in () if problems else template.conditions:
        try:
            holds = _holds(ctx.at_file(bound), condition)
        except Rejected as rejected:
            problems.extend(rejected.diagnostics)
        else:
            if not holds:
                said = ", ".join(f"{a.name} = {a.text}" for a in arguments)
                title = f"{template.decl.name} is not enabled for {said}"
                problems.append(ctx.type_error(condition, title, "this is false").diagnostics[0])
    return bound


def _holds(ctx: Context, condition: c_ast.Node) -> bool:
    """Whether the condition of an `enable_if` holds. Raises Rejected if it isn't constant."""
    with ctx.full(condition):
        value = evaluation.constant(ctx, evaluation.condition(ctx, condition))
    if value is None:
        text = ctx.unit.written.text(condition)
        what, help = "the condition of `enable_if`", "call a function that isn't a template"
        raise ctx.reject(Code.NOT_CONSTANT, condition, what=what, text=text, help=help)
    return bool(value)


def _from_text(ctx: Context, parameter: TemplateParameter, text: str) -> Type | Const:
    if parameter.type is None and "<" in text:
        return declarators.type_of(ctx, _class_named(text, parameter.coord))[0]
    text = re.sub(r"(?:\w+\s*)?::\s*", "", text)
    if parameter.type is None:
        words = [word for word in text.split() if word != "const"]
        node = c_ast.IdentifierType(words, parameter.coord)
        type, _ = declarators.type_of(ctx, node)
        return type
    names = {name: it for scope in ctx.scopes for name, it in scope.items()}
    text = re.sub(r"\bsizeof\s*\(\s*(\w+)\s*\)", lambda found: _size(ctx, parameter, found), text)
    value = evaluation.constant(ctx, free.expression(text, names, "--template"))
    return number(ctx, parameter, parameter, value, text)


def _size(ctx: Context, parameter: TemplateParameter, found: re.Match[str]) -> str:
    """Return the size of a type of the file or of CUDA's headers; for any other name the text unchanged."""
    try:
        type, _ = declarators.type_of(ctx, c_ast.IdentifierType([found[1]], parameter.coord))
    except Rejected:
        return found[0]
    return str(types.size(type))


def _class_named(text: str, coord: object) -> c_ast.Node:
    """Parse `Vec<float, 3>` or `typename Pick<T>::type`, given as text, to the parser's node."""
    text = re.sub(r"\btypename\b|\s+", " ", text).strip()
    read = re.fullmatch(r"(?:[\w\s]*::)*\s*(\w+)\s*<(.*)>\s*(?:::\s*(\w+))?", text)
    if read is None:
        return c_ast.IdentifierType([text], coord)
    args: list[c_ast.Node] = []
    for part in _parts(read[2]):
        if re.fullmatch(r"-?\d\w*|true|false", part):
            args.append(c_ast.Constant("int", part, coord))
        else:
            words = [word for word in part.split() if word != "const"]
            kind = _class_named(part, coord) if "<" in part else c_ast.IdentifierType(words, coord)
            type = c_ast.TypeDecl(None, [], None, kind, coord)
            args.append(c_ast.Typename(None, [], None, type, coord))
    return c_ast.IdentifierType([ClassName.made(text, read[1], args, read[3] or "", coord)], coord)


def _parts(text: str) -> list[str]:
    """Split a text at the commas outside angle brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


@dataclass(frozen=True)
class _Made:
    """A function with one set of arguments for its template."""

    function: c_ast.FuncDef
    bound: Bindings
    result: Type | None  # if it is deduced


class Instances:
    """The function templates of a closure; instances are added to `functions` as they are lowered."""

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
        defined = {t.decl.name for t in templates if _is_open(t) and t.function.body is not None}
        for template in templates:
            if template.function.body is None and template.decl.name in defined:
                continue
            listed = self._templates if _is_open(template) else self._special
            listed[template.decl.name].append(template)
        self.operators = any(name.startswith("operator") for name in self._templates)
        """Whether there is a template of an operator."""
        self.referring = {t.decl.name for t in templates if declarators.is_reference(t.decl.type)}
        """The names of templates of functions that return a reference."""
        self._devices: dict[tuple[int, tuple[Type | Const, ...], frozenset[int]], Device] = {}
        self._made: dict[str, _Made] = {}
        self._under_way: list[str] = []

    def known(self, name: str) -> bool:
        """Whether there is a template of that name."""
        return name in self._templates

    def candidates(
        self, ctx: Context, node: c_ast.Node, name: str, args: Sequence[c_ast.Node], given: Sequence[Type]
    ) -> list[Device]:
        """Return the instances that a call could mean, at most one of each template."""
        found: list[Device] = []
        wrong: list[Rejected] = []
        for template in self._templates[name]:
            try:
                bound = self._bound(ctx, template, node, args, given)
            except Rejected as rejected:  # then another one is meant
                wrong.append(rejected)
                continue
            if not all(_holds(self._ctx.at_file(bound), condition) for condition in template.conditions):
                title = f"no `{name}` is enabled for these types"
                wrong.append(ctx.type_error(node, title, "its `enable_if` is false"))
                continue
            try:
                found.append(self._device(template, bound, _constants(template, args, given)))
            except Rejected as rejected:  # then another one is meant
                wrong.append(rejected)
        if not found and wrong and name not in ctx.unit.functions and name not in BUILTINS:
            raise wrong[0]
        return found

    def lowered(self, ctx: Context, node: c_ast.FuncCall, device: Device) -> None:
        """Lower the body of an instance that is called, unless that has been done."""
        if device.key in self._functions:
            return
        if device.key in self._under_way:
            raise ctx.reject(Code.RECURSION, node, name=node.name.name)
        if len(self._under_way) >= DEEPEST:
            raise ctx.reject(Code.TOO_DEEP, node, limit=str(DEEPEST))
        made = self._made[device.key]
        self._under_way.append(device.key)
        function, called = dispatch.function(
            self._ctx,
            made.function,
            self._problems,
            is_kernel=False,
            bound=made.bound,
            name=device.name,
            result=made.result,
        )
        self._under_way.pop()
        self._functions[device.key], self._calls[device.key] = function, called

    # ---- arguments -----------------------------------------------------------

    def _bound(
        self,
        ctx: Context,
        template: Template,
        node: c_ast.Node,
        args: Sequence[c_ast.Node],
        given: Sequence[Type],
    ) -> Bindings:
        """Bind the template's parameters for a call: explicit arguments, deduced ones, defaults."""
        found: Bindings = {}
        for parameter, written in zip(template.params, args, strict=False):
            found[parameter.name] = explicit(ctx, parameter, written)
        order = [p.name for p in template.params]
        if len(args) > len(order):
            title = f"`{template.decl.name}` has {len(order)} parameters"
            raise ctx.type_error(node, title, f"{len(args)} arguments are given")
        generic = self._ctx.unit.generic
        assert generic is not None
        for declaration, argument in zip(declarators.parameters(template.function), given, strict=False):
            if generic.other(declaration.type, argument, set(order[len(args) :])):
                raise self._open(ctx, node, template.decl.name, given, ", ".join(order[len(args) :]))
            for name, value in generic.deduced(declaration.type, argument):
                if name not in order:
                    continue
                known = found.setdefault(name, value)
                if len(args) <= order.index(name) and not _same(known, value):
                    raise self._open(ctx, node, template.decl.name, given, name)
        for parameter in template.params:
            if parameter.name and parameter.name not in found:
                if parameter.default is None:
                    raise self._open(ctx, node, template.decl.name, given, parameter.name)
                found[parameter.name] = explicit(ctx.at_file(found), parameter, parameter.default)
        return {p.name: found[p.name] for p in template.params if p.name}

    def _open(self, ctx: Context, node: c_ast.Node, name: str, given: Sequence[Type], names: str) -> Rejected:
        shown = listed([types.spell(type) for type in given])
        return ctx.reject(Code.NOT_DEDUCED, node, name=name, names=names, given=shown)

    # ---- functions -----------------------------------------------------------

    def _device(self, template: Template, bound: Bindings, fixed: frozenset[int]) -> Device:
        made = (id(template), tuple(bound.values()), fixed)
        if made not in self._devices:
            self._devices[made] = self._declared(template, bound, fixed)
        return self._devices[made]

    def _declared(self, template: Template, bound: Bindings, fixed: frozenset[int]) -> Device:
        function = _with_constants(template.function, fixed) if fixed else template.function
        inner = self._ctx.at_file(bound)
        params = tuple(declarators.decayed(inner, p) for p in declarators.parameters(function))
        if template.lifted and (pointer := next((n for n, t in bound.items() if _pointer(t)), "")):
            what = f"a pointer for `{pointer}`"
            raise self._ctx.reject(Code.NO_LAMBDAS, template, why=f"it takes {what}, declared with `auto`")
        if auto_types.is_auto(function):
            result = auto_types.result(self._ctx, function, bound)
        else:
            result, _ = declarators.type_of(inner, function.decl.type.type)
        name = self._name(template, bound)
        for special in self._special[template.decl.name]:
            if self._specialises(special, bound, (result, *params)):
                function, bound = special.function, {}
                break
        if function.body is None:
            raise self._ctx.reject(Code.NOT_DEFINED, function.decl, name=template.decl.name, option="")
        defaults = tuple(getattr(p, "init", None) for p in declarators.parameters(function))
        key = "_".join([name, *(types.mangled(t) for t in params)])
        while key in self._made:
            key += "_"
        self._made[key] = _Made(function, bound, result if auto_types.is_auto(function) else None)
        named = frozenset(p.name for p in template.params)
        patterns = tuple(p.type for p in declarators.parameters(template.function)), named
        device = Device(key, name, params, result, defaults, bindings=bound, patterns=patterns)
        return declarators.with_structs(device, function, always=template.lifted and _is_one_value(function))

    def _specialises(self, special: Template, bound: Bindings, signature: tuple[Type, ...]) -> bool:
        """Whether a specialisation is for these arguments; `signature` is its result and parameter types."""
        if not special.arguments:  # they follow from its parameter types and its result type
            own = [declarators.decayed(self._ctx, p) for p in declarators.parameters(special.function)]
            result, _ = declarators.type_of(self._ctx, special.function.decl.type.type)
            return len(own) + 1 == len(signature) and all(map(_alike, (result, *own), signature))
        wanted = list(bound.values())
        for given, value in zip(special.arguments, wanted, strict=False):
            if isinstance(value, Const):
                with self._ctx.full(given):
                    if constant_folding.evaluate(evaluation.value(self._ctx, given), {}) != value.value:
                        return False
            elif not isinstance(given, c_ast.Typename) or not _alike(
                declarators.type_of(self._ctx, given)[0], value
            ):
                return False
        return True

    def _name(self, template: Template, bound: Bindings) -> str:
        """Return the name of the instance, with the arguments that its parameter types don't show."""
        shown = set().union(*(_shown(p.type) for p in declarators.parameters(template.function)))
        hidden = [_word(value) for name, value in bound.items() if name not in shown]
        name = "_".join([template.decl.name, *hidden])
        while hidden and (
            name in self._ctx.unit.functions or name in self._ctx.scopes[0] or self.known(name)
        ):
            name += "_"
        return name


def _constants(template: Template, args: Sequence[c_ast.Node], given: Sequence[Type]) -> frozenset[int]:
    """Return the parameters `T *a` that are `const float *a`: T is deduced from such pointers only."""
    found: set[int] = set()
    for parameter in template.params[len(args) :]:
        if parameter.type is not None:
            continue
        pairs = enumerate(zip(declarators.parameters(template.function), given, strict=False))
        mine = [(k, p.type, type) for k, (p, type) in pairs if parameter.name in _shown(p.type)]
        if mine and all(_points_to(d, parameter.name) and _to_constants(type) for _, d, type in mine):
            found.update(k for k, _, _ in mine)
    return frozenset(found)


def _points_to(declarator: c_ast.Node, name: str) -> bool:
    """Whether a declarator is `T *` without `const`."""
    match declarator:
        case c_ast.PtrDecl(
            quals=quals, type=c_ast.TypeDecl(quals=inner, type=c_ast.IdentifierType(names=[n]))
        ):
            return n == name and not inner and "&" not in (quals or ())
        case _:
            return False


def _to_constants(type: Type) -> bool:
    return isinstance(type, ir.Pointer) and type.const and not type.reference


def _with_constants(function: c_ast.FuncDef, fixed: frozenset[int]) -> c_ast.FuncDef:
    """Return the function with these parameters pointing to constants."""
    made = copy.copy(function)
    made.decl = copy.copy(function.decl)
    made.decl.type = copy.copy(function.decl.type)
    made.decl.type.args = copy.copy(function.decl.type.args)
    params = list(made.decl.type.args.params)
    for k in fixed:
        params[k] = copy.deepcopy(params[k])
        params[k].type.type.quals = ["const"]
        params[k].quals = ["const"]
    made.decl.type.args.params = params
    return made


def _is_one_value(function: c_ast.FuncDef) -> bool:
    """Whether a function only returns a value."""
    items = function.body.block_items or []
    return len(items) == 1 and isinstance(items[0], c_ast.Return) and items[0].expr is not None


def _pointer(value: Type | Const) -> bool:
    return isinstance(value, ir.Pointer | ir.Array)


def _is_open(template: Template) -> bool:
    """Whether a template is no full specialisation."""
    return bool(template.params) or template.lifted


def _same(a: Type | Const, b: Type | Const) -> bool:
    if isinstance(a, Const) or isinstance(b, Const):
        return isinstance(a, Const) and isinstance(b, Const) and a.value == b.value
    return types.same(a, b)


def _alike(a: Type, b: Type) -> bool:
    """Whether two types are the same to C++, which ignores `__restrict__`."""
    match a, b:
        case ir.Pointer(), ir.Pointer():
            return (a.const, a.reference) == (b.const, b.reference) and _alike(a.target, b.target)
        case _:
            return _same(a, b)


def _shown(node: c_ast.Node) -> set[str]:
    """Return the names that the type of a parameter mentions."""
    match node:
        case c_ast.IdentifierType(names=[ClassName() as name]):
            return set().union(*(_shown(arg) for arg in name.args or ()))
        case c_ast.IdentifierType(names=names):
            return set(names)
        case c_ast.ID(name=name):
            return {name}
        case c_ast.Typename() | c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.ArrayDecl():
            return _shown(node.type)
        case _:
            return set()


def _word(value: Type | Const) -> str:
    """Return a template argument as part of a name."""
    if isinstance(value, Const):
        return re.sub(r"\W", "_", str(value.value).lower().replace("-", "m"))
    return types.mangled(value)
