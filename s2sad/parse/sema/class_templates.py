"""Instantiate class templates as structs, and resolve the types and constants inside classes.

    template <typename T, int N> struct Vec { T v[N]; };      Vec<float, 3> a;

becomes `struct Vec_float_3 { float v[3]; };`, once for each set of arguments in use, with its
methods as functions beside it. If the file names it, as by `using Vec3 = Vec<float, 3>`, the
struct has that name. The emitted file has that struct, with the layout of the author's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected
from ...ir import Const, Scalar, Struct, Type
from ..syntax.classes import Class, titled
from ..syntax.qualified_types import (
    DECLTYPE,
    OF_TYPES,
    TYPEOF,
    ClassName,
    ClassTemplate,
    Member,
    VariableTemplate,
)
from ..syntax.templates import TemplateParameter
from ..types import types
from . import declarators, dispatch, evaluation, type_traits
from .meanings import Bindings
from .scope import Context

DEEPEST = 64
"""How deeply instantiations of class templates may nest."""


@dataclass
class Generic:
    """The class templates of a closure, and their instances."""

    file: Context
    templates: dict[str, list[ClassTemplate]] = field(default_factory=dict)
    aliases: Sequence[c_ast.Typedef] = ()
    """The names that the file gives to types."""

    texts: list[str] = field(default_factory=list)
    arguments: dict[str, tuple[str, Bindings]] = field(default_factory=dict)
    """The template and the arguments of each struct that is an instance, by its name."""

    members: dict[str, Bindings] = field(default_factory=dict)
    """The types and constants inside each struct, by its name."""

    bound: dict[str, Bindings] = field(default_factory=dict)
    """The bindings of the template's parameters in each struct, by its name."""

    unnamed: dict[int, str] = field(default_factory=dict)
    """The names given to unnamed structs, by the position of their definition."""

    _made: dict[tuple[str, tuple[Type | Const, ...]], tuple[Type, Bindings]] = field(default_factory=dict)
    _through: dict[tuple[str, tuple[Type | Const, ...]], str] = field(default_factory=dict)
    _beside: dict[tuple[int, Struct], Struct] = field(default_factory=dict)
    _titles: set[str] = field(default_factory=set)
    _depth: int = 0

    def add(self, template: ClassTemplate) -> None:
        """Add a template of the file; a definition goes before mere declarations."""
        known = self.templates.setdefault(template.name, [])
        known.insert(0 if isinstance(template.node, Class | c_ast.Typedef) else len(known), template)

    def type(self, ctx: Context, name: ClassName) -> tuple[Type, bool]:
        """Return the type that a name denotes here, and whether it is const."""
        if name.of in (DECLTYPE, TYPEOF) or (name.of in OF_TYPES and name.of not in self.templates):
            return type_traits.type_of(ctx, name, _At(name))
        type, members = self._instance(ctx, name)
        if not name.member:
            return type, False
        found = members.get(name.member)
        if found is None or isinstance(found, Const):
            raise ctx.reject(Code.UNKNOWN_TYPE, _At(name), name=str(name), nearest="")
        return found, False

    def member(self, ctx: Context, node: Member) -> tuple[Type, Const | Type | None]:
        """Return the class of a member, and the member's constant or type; None for a function."""
        type, members = self._instance(ctx, node.of)
        return type, members.get(node.of.member)

    def template(self, ctx: Context, name: str) -> Struct | None:
        """Return the class template that a name denotes, maybe a template parameter, as an empty struct."""
        if name in self.templates:
            return Struct(name)
        known = ctx.typedef(name)
        found = known[0] if known is not None else None
        return found if isinstance(found, Struct) and found.name in self.templates else None

    def _instance(self, ctx: Context, name: ClassName) -> tuple[Type, Bindings]:
        meant = self.template(ctx, name.of) if name.args is not None else None
        if meant is not None:
            name = ClassName.made(str(name), meant.name, name.args, name.member, name.coord)
        if name.args is None:
            known = ctx.typedef(name.of)
            if known is None:
                raise ctx.reject(Code.UNKNOWN_TYPE, _At(name), name=name.of, nearest="")
            return known[0], self.members.get(getattr(known[0], "name", ""), {})
        templates = self.templates.get(name.of, [])
        if not templates:
            raise ctx.reject(Code.NOT_DEFINED, _At(name), name=name.of, option="")
        primary = next((t for t in templates if t.arguments is None), None)
        given = self.given(ctx, name, primary)
        key = (name.of, tuple(given.values()))
        if key not in self._made:
            if self._depth >= DEEPEST:
                raise ctx.reject(Code.TOO_DEEP, _At(name), limit=str(DEEPEST))
            self._depth += 1
            try:
                template, bound = self._chosen(ctx, name, templates, given)
                self._made[key] = self._define(name, template, given, bound)
            finally:
                self._depth -= 1
        return self._made[key]

    def given(
        self, ctx: Context, name: ClassName, primary: ClassTemplate | VariableTemplate | None
    ) -> Bindings:
        """Map the names of the primary template's parameters to the arguments."""
        if primary is None:
            raise ctx.reject(Code.NO_TEMPLATES, _At(name), name=name.of)
        args = name.args or []
        found: Bindings = {}
        if len(args) > len(primary.params):
            title = f"`{name.of}` has {len(primary.params)} parameters"
            raise ctx.type_error(_At(name), title, f"{len(args)} arguments are given")
        for k, parameter in enumerate(primary.params):
            if k < len(args):
                value = explicit(ctx, parameter, args[k])
            elif parameter.default is not None:
                value = explicit(self.file.at_file(found), parameter, parameter.default)
            else:
                title = f"`{name}` has no argument for the parameter `{parameter.name}`"
                raise ctx.type_error(_At(name), title, "an argument is missing")
            found[parameter.name or f"{k}"] = value
        return found

    def _chosen(
        self, ctx: Context, name: ClassName, templates: Sequence[ClassTemplate], given: Bindings
    ) -> tuple[ClassTemplate, Bindings]:
        """Choose the specialisation that the arguments match, else the primary; return its bindings too."""
        fitting: list[tuple[ClassTemplate, Bindings]] = []
        for template in templates:
            if template.arguments is None:
                continue
            bound: Bindings = {}
            named = {p.name for p in template.params}
            pairs = zip(template.arguments, given.values(), strict=False)
            if all(self._fits(arg, value, named, bound) for arg, value in pairs):
                fitting.append((template, bound))
        exact = [pair for pair in fitting if not pair[0].params]
        if exact:
            return exact[0]
        if len(fitting) > 1:
            raise ctx.reject(Code.NO_TEMPLATES, _At(name), name=name.of)
        return fitting[0] if fitting else (next(t for t in templates if t.arguments is None), given)

    def _fits(self, arg: c_ast.Node, value: Type | Const, named: set[str], bound: Bindings) -> bool:
        """Whether an argument of a specialisation matches this; binds its parameters in doing so."""
        if isinstance(value, Const):
            if isinstance(arg, c_ast.ID) and arg.name in named:
                bound[arg.name] = value
                return True
            if isinstance(arg, c_ast.Typename):
                return False
            ctx = self.file.at_file({})
            with ctx.full(arg):
                return evaluation.constant(ctx, evaluation.value(ctx, arg)) == value.value
        if isinstance(arg, c_ast.ID) and arg.name in named and isinstance(value, Struct):
            if value.name in self.templates:  # a class template
                bound[arg.name] = value
            return value.name in self.templates
        if not isinstance(arg, c_ast.Typename):
            return False
        found = dict(self.deduced(arg.type, value))
        if set(found) & named:
            bound.update({n: v for n, v in found.items() if n in named})
            return True
        if _names(arg) & named:  # `T *` doesn't match a non-pointer
            return False
        return declarators.type_of(self.file.at_file({}), arg.type)[0] == value

    def _define(
        self, name: ClassName, template: ClassTemplate, given: Bindings, bound: Bindings
    ) -> tuple[Type, Bindings]:
        if not isinstance(template.node, Class | c_ast.Typedef):
            raise self.file.reject(Code.NOT_DEFINED, _At(name), name=name.of, option="")
        if isinstance(template.node, c_ast.Typedef):
            self._name_through(name, template.node, given, bound)
            type, _ = declarators.type_of(self.file.at_file(bound), template.node.type)
            return type, self.members.get(getattr(type, "name", ""), {})
        named = self._alias(name, given) or self._through.get((name.of, tuple(given.values())))
        title = named or "_".join([name.of, *(_word(value) for value in given.values())])
        while title in self.file.typedefs[0] or title in self.file.unit.functions:
            title += "_"
        node = titled(template.node, title)
        self.arguments[title] = (name.of, given)
        self.bound[title] = bound
        self._made[name.of, tuple(given.values())] = Struct(title), {}  # a field may point to it
        inner = self.file.at_file({**bound, name.of: Struct(title)})
        type = dispatch.structure(inner, node, within=(name.of, bound))
        return type, self.members.get(title, {})

    def _name_through(self, name: ClassName, alias: c_ast.Typedef, given: Bindings, bound: Bindings) -> None:
        """Name the class that a template of aliases denotes by the alias: `Vec3_float`, of `Vec3<float>`."""
        match alias.type:
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[ClassName() as other])) if (
                other.args is not None and not other.member and other.of in self.templates
            ):
                primary = next((t for t in self.templates[other.of] if t.arguments is None), None)
                args = self.given(self.file.at_file(bound), other, primary)
                words = [_word(v) for v in given.values() if getattr(v, "name", "") not in self.templates]
                self._through.setdefault((other.of, tuple(args.values())), "_".join([name.of, *words]))

    def _alias(self, name: ClassName, given: Bindings) -> str:
        """Return the file's first name for the class with these arguments, or ""."""
        for node in self.aliases:
            match node.type:
                case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[ClassName(of=name.of) as other])) if (
                    other.args is not None and not other.member
                ):
                    primary = next((t for t in self.templates[other.of] if t.arguments is None), None)
                    try:
                        args = self.given(self.file.at_file({}), other, primary)
                    except Rejected:  # reported at its declaration
                        continue
                    if tuple(args.values()) == tuple(given.values()):
                        return str(node.name)
        return ""

    def beside(self, node: Class, struct: Struct) -> tuple[Class, Struct | None]:
        """Give a struct inside a function or another struct a name that is free in the emitted file.

        Return also its earlier definition, if any: a function that is inlined is lowered several times.
        """
        place = (node.coord.index, struct)
        if place in self._beside:
            return node, self._beside[place]
        file, count, title = self.file, 1, struct.name
        taken = {*file.typedefs[0], *file.scopes[0], *file.unit.functions, *self._titles}
        while title in taken:
            count += 1
            title = f"{struct.name}_{count}"
        self._titles.add(title)
        return (node if title == node.name else titled(node, title)), None

    def define(self, node: Class, struct: Struct, written: str) -> None:
        """Record the definition of a struct that `beside` found a name for."""
        self._beside[node.coord.index, Struct(written, struct.fields)] = struct
        self.texts.append(definition(struct))

    def complete(self, struct: Struct) -> None:
        """Record an instance whose fields are known, before its methods are registered."""
        of, given = self.arguments[struct.name]
        self._made[of, tuple(given.values())] = struct, self.members.get(struct.name, {})
        self.file.typedefs[0][struct.name] = struct, False
        if struct.fields:
            self.texts.append(definition(struct))

    def kept(self, struct: Struct) -> None:
        """Keep the definition of an emitted instance without fields: a functor passed to the kernel."""
        if struct.name in self.arguments:
            self.texts.append(definition(struct))

    # ---- deduction -------------------------------------------------------------

    def deduced(self, declarator: c_ast.Node, type: Type | Const) -> list[tuple[str, Type | Const]]:
        """Deduce template arguments from the type of a parameter and the type of its argument."""
        match declarator, type:
            case _, ir.Pointer(target=ir.VOID):  # nothing is deduced from a null pointer
                return []
            case c_ast.Typename(), _:
                return self.deduced(declarator.type, type)
            case c_ast.ID(name=name), Const():
                return [(name, type)]
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[ClassName() as name])), Struct():
                of, given = self.arguments.get(type.name, ("", {}))
                if of != name.of or name.member:
                    return []
                pairs = zip(name.args or (), given.values(), strict=False)
                return [found for arg, value in pairs for found in self.deduced(arg, value)]
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[ClassName()])), _:
                return []
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])), _:
                return [(name, ir.Pointer(type.element) if isinstance(type, ir.Array) else type)]
            case c_ast.PtrDecl(quals=quals), _ if "&" in (quals or ()):
                return self.deduced(declarator.type, type)
            case ((c_ast.PtrDecl() | c_ast.ArrayDecl()), ir.Pointer(target=target)):
                return self.deduced(declarator.type, target)
            case ((c_ast.PtrDecl() | c_ast.ArrayDecl()), ir.Array(element=element)):
                return self.deduced(declarator.type, element)
            case _:
                return []

    def other(self, declarator: c_ast.Node, type: Type | Const, open_: set[str]) -> bool:
        """Whether a parameter's type is a class template with open arguments, and this isn't its instance."""
        if isinstance(declarator, c_ast.PtrDecl) and "&" in (declarator.quals or ()):
            return self.other(declarator.type, type, open_)
        match declarator:
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[ClassName() as name])) if not name.member:
                if name.of not in self.templates or not _names(declarator) & open_:
                    return False
                return not isinstance(type, Struct) or self.arguments.get(type.name, ("", {}))[0] != name.of
            case _:
                return False


class _At:
    """A class's name as a node with a position."""

    def __init__(self, name: ClassName) -> None:
        self.coord = name.coord


def _names(node: c_ast.Node) -> set[str]:
    match node:
        case c_ast.IdentifierType(names=[ClassName() as name]):
            return set().union(*(_names(arg) for arg in name.args or ()))
        case c_ast.IdentifierType(names=names):
            return {str(n) for n in names}
        case c_ast.ID(name=name):
            return {str(name)}
        case _:
            own = set[str]()
    return own.union(*(_names(child) for _, child in node.children()))


def _word(value: Type | Const) -> str:
    """Return a template argument as part of a name."""
    if isinstance(value, Const):
        return re.sub(r"\W", "_", str(value.value).lower().replace("-", "m"))
    return types.mangled(value)


def explicit(ctx: Context, parameter: TemplateParameter, given: c_ast.Node) -> Type | Const:
    """Lower an explicit template argument."""
    if parameter.generic:
        named = getattr(given, "name", None)
        if isinstance(given, c_ast.Typename) and isinstance(given.type.type, c_ast.IdentifierType):
            named = given.type.type.names[0]
        found = ctx.unit.generic.template(ctx, named) if ctx.unit.generic is not None and named else None
        if found is None:
            title = f"the template argument {parameter.name} is a class template"
            raise ctx.type_error(given, title, "this isn't one")
        return found
    if parameter.type is None:
        if not isinstance(given, c_ast.Typename):
            title = f"the template argument {parameter.name} is a type"
            raise ctx.type_error(given, title, "this is a value")
        type, _ = declarators.type_of(ctx, given.type)
        return type
    with ctx.full(given):
        value = evaluation.constant(ctx, evaluation.value(ctx, given))
    return number(ctx, parameter, given, value, ctx.unit.written.text(given))


def number(
    ctx: Context, parameter: TemplateParameter, at: c_ast.Node, value: int | float | bool | None, text: str
) -> Const:
    """Return the argument of a parameter that is a number."""
    type, _ = declarators.type_of(ctx, parameter.type)
    if value is None or not isinstance(type, Scalar):
        raise ctx.reject(
            Code.NOT_CONSTANT,
            at,
            what=f"the template argument {parameter.name}",
            text=text,
            help="write a number or a constant",
        )
    return Const(types.wrap(value, type), type)


def definition(struct: Struct) -> str:
    """Return the definition of a struct in C."""
    align = f"__align__({struct.align}) " if struct.align else ""
    inner = "".join(f"    {_field(f)};\n" for f in struct.fields)
    return f"struct {align}{struct.name} {{\n{inner}}};"


def _field(declared_: ir.Field) -> str:
    match declared_.type:
        case ir.Array(element, extents):
            return f"{types.spell(element)} {declared_.name}" + "".join(f"[{n}]" for n in extents)
        case Struct(extents=extents) as struct:
            return f"{struct.name} {declared_.name}" + "".join(f"[{n}]" for n in extents)
        case ir.Pointer() as pointer:
            return f"{types.spell(pointer)}{declared_.name}"
        case type:
            return f"{types.spell(type)} {declared_.name}"


def _has_values(node: Class) -> bool:
    """Whether fields have initialisers: those would apply to objects of the adjoint too."""
    return any(getattr(decl, "init", None) is not None for decl in node.decls)


def uses_generic(node: Any) -> bool:
    """Whether a definition names a class with arguments or a member of one, which the emitted file lacks."""
    if isinstance(node, Class) and (node.types or node.inside or node.statics or node.aligned):
        return True
    if isinstance(node, Class) and _has_values(node):
        return True
    parts = [*node.decls] if isinstance(node, Class) else [child for _, child in node.children()]
    own = isinstance(node, c_ast.IdentifierType) and isinstance(node.names[0], ClassName)
    return own or isinstance(node, Member) or any(uses_generic(part) for part in parts)
