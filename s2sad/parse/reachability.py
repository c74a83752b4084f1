"""What a kernel reaches by name, parsed item by item: nothing else of the file is.

A name that leads to what isn't differentiated is refused where it is used. One that
leads nowhere may be a built-in, which lowering knows; only where an include wasn't
found is it said here that the name is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pycparser import c_ast

from .. import files
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..source import Span
from .desugar import launched_memory
from .desugar.lambda_lifting import lifted
from .source.namespaces import aliased, meant, names
from .source.pp_tokens import Lexeme, words
from .source.preprocess import Preprocessed
from .source.reduction_operators import REDUCTION
from .source.toplevel import DEVICE, Item
from .syntax.classes import Class
from .syntax.dialect import Dialect
from .syntax.lexer import Qualified
from .syntax.positions import Range
from .syntax.qualified_types import (
    OF_TYPES,
    ClassName,
    ClassTemplate,
    Member,
    VariableName,
    VariableTemplate,
    member_types,
)
from .syntax.templates import Template, TemplateId
from .types import half_functions
from .types.builtins import BUILTINS

_SCALARS = words("char uchar short ushort int uint long ulong longlong ulonglong float double")
TYPES = words(
    "size_t ssize_t ptrdiff_t intptr_t uintptr_t clock_t dim3 uchar ushort uint ulong "
    "wchar_t char16_t char32_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
    "half half2 __half __half2 nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 "
    "cudaTextureObject_t cudaSurfaceObject_t cudaStream_t cudaError_t "
    "curandState curandState_t curandStatePhilox4_32_10_t curandStateXORWOW_t"
) | {scalar + width for scalar in _SCALARS for width in "1234"}
"""Types that CUDA's and C's headers declare. Which of them can be differentiated is lowering's to say."""
_BUILT_IN = words(
    "threadIdx blockIdx blockDim gridDim warpSize printf assert malloc free memcpy memset INFINITY NAN NULL"
)
_BUILT_IN_PREFIXES = ("__", "atomic", "tex", "surf", "curand", "clock", "make_", "cuda")

_BUILT_IN_TEMPLATES = words("min max swap")

_BASIC = words("auto void bool _Bool char short int long float double signed unsigned")


@dataclass(frozen=True)
class Reached:
    """A kernel and what it reaches: `items` in the order of the file, `functions` callees first."""

    items: tuple[Item, ...]
    nodes: Mapping[Item, Sequence[Any]]
    functions: tuple[Any, ...]
    names: frozenset[str]
    ranges: dict[int, Range]


def reach(unit: Preprocessed, items: Sequence[Item], kernel: Item, more: Collection[str] = ()) -> Reached:
    """Parse the kernel, then what it uses, then what that uses; `more` are names that it uses too."""
    return _Reach(unit, items, kernel).reached(more)


Role = Literal["value", "call", "type", "operator"]


@dataclass(frozen=True)
class Use:
    """A name that a parsed item uses and doesn't declare, and where it does so first."""

    name: str
    node: Any
    role: Role


class _Reach:
    def __init__(self, unit: Preprocessed, items: Sequence[Item], kernel: Item) -> None:
        self.unit = unit
        self.kernel = kernel
        self.named: dict[str, list[Item]] = {}
        for item in items:
            for name in item.names:
                self.named.setdefault(name, []).append(item)
        types = [t for i in items for t in i.types]
        built_in = [t for t in TYPES if t not in self.named]  # `half` may be a function here
        self.parser = Dialect(unit.tokens, [*built_in, *types], names(items))
        self.parser.function_templates = _BUILT_IN_TEMPLATES.union(
            *(i.names for i in items if i.kind == "template" and i.inner in ("device", "host", "prototype"))
        )
        self.parser.variable_templates = frozenset(
            n for i in items if _is_variable_template(i) for n in i.names
        )
        library = OF_TYPES - self.named.keys()
        self.parser.members = dict.fromkeys(library, _TYPE) | _members(unit.tokens, items)
        self.parser.generic = library.union(n for i in items if _is_generic(i) for n in i.names)
        self.meant: dict[str, tuple[str, ...]] = {}  # the namespace of a name that several have
        self.parsed: dict[Item, list[Any]] = {}
        self.lifted: dict[Item, list[Template]] = {}  # what the lambdas in an item became
        self.calls: dict[Item, tuple[Use, ...]] = {}
        self.problems: list[Diagnostic] = []

    def reached(self, more: Collection[str]) -> Reached:
        todo = [self.kernel]
        for name in more:
            todo += [i for i in self.named.get(name, ()) if _of_types(i) or self._is_constant(i)]
        while todo:
            item = todo.pop(0)
            if item in self.parsed:
                continue
            self.parsed[item] = self._parse(item)
            every = [*self.parsed[item], *self.lifted.get(item, ())]
            self.calls[item] = tuple(use for node in every for use in uses(node))
            for use in self.calls[item]:
                todo.extend(self._reached(use, item))
        self._blame_conditions()
        self._blame_includes()
        if not self.problems:
            functions = self._callees_first()
            self._pass_shared_memory(functions)
        if self.problems:
            raise Rejected(*_in_order(self.problems))
        items = tuple(sorted(self.parsed, key=lambda item: item.first))
        names = frozenset(use.name for found in self.calls.values() for use in found).union(more)
        return Reached(items, self.parsed, functions, names, self.parser.ranges)

    def _pass_shared_memory(self, functions: Sequence[Any]) -> None:
        """Let the kernel declare what shared memory the file does, and functions, and pass it on."""
        shared = [item for item in self.parsed if _is_shared(item)]
        decls = {node.name: node for item in shared for node in self.parsed.pop(item)}
        others = [node for item, nodes in self.parsed.items() if _of_types(item) for node in nodes]
        kernel, *_ = self.parsed[self.kernel]
        used = {
            id(getattr(node, "function", node)): [decls[use.name] for use in uses(node) if use.name in decls]
            for node in (kernel, *functions, *others)
        }
        bodies = [getattr(node, "function", node) for node in (kernel, *functions)]
        try:
            launched_memory.declare(bodies, others, used, self.parser.ranges, self._span)
        except Rejected as rejected:
            self.problems.extend(rejected.diagnostics)

    def _span(self, node: Any) -> Span:
        at: int = node.coord.index
        return self.unit.tokens[at].span

    def _parse(self, item: Item) -> list[Any]:
        self.parser.problems = []
        is_function = item.kind in ("kernel", "device", "template")
        try:
            nodes = self.parser.item(item.first, item.end, is_function)
        except Rejected as error:
            self.problems.extend(error.diagnostics)
            return []
        self.problems.extend(self.parser.problems)
        for node in nodes if is_function and not self.parser.problems else ():
            self.lifted.setdefault(item, []).extend(self._lifted(node))
        return nodes

    def _lifted(self, node: Any) -> list[Template]:
        taken = {template.decl.name for found in self.lifted.values() for template in found}
        try:
            return lifted(self.parser, node, {*self.named, *taken}, _free)
        except Rejected as rejected:
            self.problems.extend(rejected.diagnostics)
            return []

    def _reached(self, use: Use, user: Item) -> list[Item]:
        """The items that a name leads to; a name that leads nowhere may be a built-in."""
        found = self._of_one_namespace(use, user)
        if not found or (use.name in BUILTINS and not any(i.kind in ("device", "template") for i in found)):
            return []
        if use.role == "operator":  # of the built-in types, unless there is one of the file's
            return [i for i in found if _is_device(i)]
        on_device = any(j.inner == "device" for j in found)
        usable = [
            i
            for i in found
            if _is_device(i)
            or (i.kind == "template" and i.inner == "prototype" and on_device)
            or _is_type(i)
            or _is_generic(i)
            or self._is_constant(i)
            or _is_shared(i)
            or (_is_variable_template(i) and len(found) == 1 and self._is_fixed(i))
        ]
        if usable:
            return usable
        span = self.unit.tokens[use.node.coord.index].span
        item = found[0]
        match item.kind:
            case "template" if item.inner == "host" and use.role == "call":
                self._problem(Code.NOT_ON_THE_DEVICE, span, name=use.name)
            case "template" if item.inner == "prototype":
                self._undefined(use.name, item)
            case "template":
                self._problem(Code.NO_TEMPLATES, span, name=use.name)
            case "variable":
                self._problem(Code.FILE_VARIABLE, span, name=use.name, why=self._why_not_constant(item))
            case "kernel":
                self._problem(Code.DYNAMIC_PARALLELISM, span)
            case "host" if use.role == "call":
                self._problem(Code.NOT_ON_THE_DEVICE, span, name=use.name)
            case "prototype" if item.words & {"__device__"}:
                self._undefined(use.name, item)
        return []

    def _of_one_namespace(self, use: Use, user: Item) -> list[Item]:
        """The items of that name that C++ means here; those of two namespaces are refused."""
        found = self.named.get(use.name, [])
        if len({item.scope for item in found}) < 2:
            return found
        if len({aliased(self.unit.tokens, item) for item in found} - {""}) == 1:
            return found[:1]
        found = meant(self.unit.tokens, found, use.node.coord.index, user.scope)
        scopes = {item.scope for item in found}
        scope = self.meant.setdefault(use.name, found[0].scope)
        if scopes != {scope}:
            span = self.unit.tokens[use.node.coord.index].span
            both = sorted("::".join(s) or "the file" for s in scopes | {scope})
            self._problem(Code.SEVERAL_NAMESPACES, span, name=use.name, scopes=" and in ".join(both))
        return found

    def _unknown(self) -> dict[str, Span]:
        """The names that are declared nowhere, and where each is used first."""
        tokens = self.unit.tokens
        unknown: dict[str, Span] = {}
        for problem in self.problems:
            if problem.code is Code.UNKNOWN_TYPE and problem.span is not None:
                unknown.setdefault(problem.values["name"], problem.span)
        beside = {name for nodes in self.parsed.values() for node in nodes for name in _friends(node)}
        beside |= {template.decl.name for found in self.lifted.values() for template in found}
        for uses in self.calls.values():
            for use in uses:
                known = (
                    use.name in beside
                    or use.role == "operator"
                    or use.name in self.named
                    or _is_built_in(use.name)
                )
                if not known:
                    unknown.setdefault(use.name, tokens[use.node.coord.index].span)
        return unknown

    def _blame_conditions(self) -> None:
        """If a name that is declared nowhere stands in a part that isn't compiled, that is what is wrong."""
        for name, span in self._unknown().items():
            left_out = self.unit.left_out(name)
            if left_out is None:
                continue
            self.problems = [p for p in self.problems if p.values.get("name") != name]
            asked = re.match(r"#\s*ifdef\s+(\w+)", left_out.text)
            option = f"--define {asked[1]}" if asked else "--define NAME=VALUE, so that the condition holds"
            values = {"name": name, "file": Path(left_out.source.name).name, "option": option}
            related = ((left_out, "this condition doesn't hold"),)
            self.problems.append(Diagnostic(Code.NOT_COMPILED, span, values, related))

    def _blame_includes(self) -> None:
        """If a name is declared nowhere and an include wasn't found, that is what is wrong."""
        unknown = self._unknown() if self.unit.missing else {}
        said = {p.values.get("name") for p in self.problems if p.code is Code.NOT_COMPILED}
        if self.unit.missing:
            for problem in self.problems:
                if problem.code is Code.NO_NAMESPACES and problem.span is not None:
                    unknown.setdefault(problem.values["name"], problem.span)
        unknown = {name: span for name, span in unknown.items() if name not in said}
        if not unknown:
            return
        blamed = (Code.UNKNOWN_TYPE, Code.NO_NAMESPACES)
        self.problems = [p for p in self.problems if p.code not in blamed]
        first, *others = self.unit.missing
        related = [(span, f"`{name}` is used here") for name, span in unknown.items()]
        related += [(other.span, f"{other.name} isn't found either") for other in others]
        option = " ".join(f"--include {folder}" for folder in self._folders()) or "--include DIR"
        names = ", ".join(f"`{name}`" for name in unknown)
        values = {"file": first.name, "names": names, "option": option}
        self.problems.append(Diagnostic(Code.MISSING_INCLUDE, first.span, values, tuple(related)))

    def _folders(self) -> list[str]:
        """Folders of the project in which the headers are that weren't found."""
        found = (files.folder_of(missing.name, self.unit.source.name) for missing in self.unit.missing)
        return list(dict.fromkeys(folder for folder in found if folder))

    def _undefined(self, name: str, item: Item) -> None:
        where = files.definer_of(name, self.unit.source.name)
        option = f": --include {where}" if where else ""
        self._problem(Code.NOT_DEFINED, self.unit.tokens[item.at].span, name=name, option=option)

    def _problem(self, code: Code, span: Span, **values: str) -> None:
        self.problems.append(diagnose(code, span, **values))

    def _is_constant(self, item: Item) -> bool:
        if item.kind != "variable":
            return False
        fixed = item.words & {"const", "constexpr"} and self._has_value(item)
        return bool(fixed or item.words & DEVICE)

    def _is_fixed(self, item: Item) -> bool:
        """Whether nothing in a kernel can write to a variable of the file."""
        fixed = item.words & {"const", "constexpr"} and self._has_value(item)
        return bool("__constant__" in item.words or fixed)

    def _has_value(self, item: Item) -> bool:
        tokens = self.unit.tokens
        direct = tokens[item.at + 1].value == "("  # `constexpr int N(3);`
        return direct or any(t.value in ("=", "{") for t in tokens[item.first : item.end])

    def _why_not_constant(self, item: Item) -> str:
        return "it has no value in this file" if "const" in item.words else "it isn't on the device"

    def _callees_first(self) -> tuple[Any, ...]:
        """The device functions so that each comes after those it calls."""
        order: list[Any] = []
        done: set[Item] = set()
        path: list[Item] = []

        def called(item: Item) -> Iterator[Item]:
            """The functions that an item uses, also in the methods of its types and in its constants."""
            for use in self.calls[item]:
                for used in self.named.get(use.name, []):
                    if used not in self.parsed:
                        continue
                    if used.kind == "device" or _is_function_template(used):
                        yield used
                    elif (used.kind in ("struct", "variable") or _is_generic(used)) and used not in done:
                        done.add(used)  # a function of this type that its methods call is no recursion yet
                        yield from (callee for callee in called(used) if callee not in path)

        def visit(item: Item) -> None:
            if item in done:
                return
            if item in path:
                if item.kind != "template":  # of a template it may be another instance
                    self._recursion(path[path.index(item) :])
                return
            path.append(item)
            for callee in called(item):
                visit(callee)
            path.pop()
            done.add(item)
            order.extend(self.lifted.get(item, ()))
            if (item.kind == "device" or _is_function_template(item)) and item is not self.kernel:
                order.extend(self.parsed[item])

        visit(self.kernel)
        return tuple(order)

    def _recursion(self, cycle: list[Item]) -> None:
        if any(
            c.names[0].startswith(("operator", "make_"))
            or c.names[0] in BUILTINS
            or len([i for i in self.named[c.names[0]] if i.kind == "device"]) > 1
            for c in cycle
        ):
            return  # overloads, or functions that CUDA has too: whether it is the same one, types decide
        spans = [self.unit.tokens[item.at].span for item in cycle]
        related = tuple((s, f"through `{i.names[0]}`") for s, i in zip(spans[1:], cycle[1:], strict=True))
        self.problems.append(Diagnostic(Code.RECURSION, spans[0], {"name": cycle[0].names[0]}, related))


def _free(function: c_ast.FuncDef) -> set[str]:
    """The values that a function uses from outside."""
    return {use.name for use in uses(function) if use.role in ("value", "call")}


def _enumerators(node: Class) -> set[str]:
    """The names of the enumerations in a class."""
    enums = [t.type for t in node.types if isinstance(t.type, c_ast.Enum) and t.type.values is not None]
    return {entry.name for enum in enums for entry in enum.values.enumerators}


def _friends(node: Any) -> Iterator[str]:
    """The functions that are defined in a class though they are beside it."""
    if isinstance(node, Class):
        yield from (function.decl.name for function in node.friends)
    for _, child in node.children():
        yield from _friends(child)


def _is_device(item: Item) -> bool:
    return item.kind == "device" or (item.kind == "template" and item.inner == "device")


def _is_shared(item: Item) -> bool:
    """Whether an item declares shared memory beside the kernels that use it."""
    return item.kind == "variable" and "__shared__" in item.words


def _is_type(item: Item) -> bool:
    """Whether an item defines a type."""
    return item.kind in ("typedef", "alias", "enum", "struct")


def _of_types(item: Item) -> bool:
    return _is_type(item) or _is_generic(item)


def _is_generic(item: Item) -> bool:
    """Whether an item is a class template or an alias template."""
    return item.kind == "template" and item.inner in ("struct", "alias")


def _is_variable_template(item: Item) -> bool:
    return item.kind == "template" and item.inner == "variable"


def _is_function_template(item: Item) -> bool:
    return item.kind == "template" and not _is_generic(item) and not _is_variable_template(item)


_TYPE = frozenset({"type"})


def _members(tokens: Sequence[Lexeme], items: Sequence[Item]) -> dict[str, frozenset[str]]:
    """The classes with something inside that is named from outside, and which of it are types."""
    found: dict[str, frozenset[str]] = {}
    for item in items:
        if item.kind == "struct" or _is_generic(item):
            inner = member_types(tokens, item.first, item.end)
            for name in item.names:
                found[name] = found.get(name, frozenset()) | inner
    return found


def _is_built_in(name: str) -> bool:
    """Whether CUDA or C declare a name without a header of the project's."""
    return (
        name.startswith(REDUCTION)
        or name in BUILTINS
        or name in half_functions.FUNCTIONS
        or name in TYPES
        or name in _BUILT_IN
        or name.startswith(_BUILT_IN_PREFIXES)
    )


def _in_order(problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    """As they stand in the file, each once."""
    seen: dict[tuple[Code, str, str], Diagnostic] = {}
    for problem in problems:
        seen.setdefault((problem.code, str(problem.span), problem.title), problem)
    return sorted(seen.values(), key=lambda p: p.span.start if p.span else 0)


# ---- what a parsed item uses -------------------------------------------------


def uses(root: Any) -> tuple[Use, ...]:
    """The names that an item uses from outside, in order, each once; each `a::f` too."""
    found: dict[tuple[str, int], Use] = {}
    scopes: list[set[str]] = [set()]
    todo: list[Any] = [root]

    def use(name: str, node: Any, role: Role) -> None:
        if isinstance(name, Qualified) or not any(name in scope for scope in scopes):
            found.setdefault((name, node.coord.index * node.coord.qualified), Use(name, node, role))

    def use_class(name: ClassName, node: Any) -> None:
        use(name.of, node, "type")
        todo.extend(reversed(name.args or ()))

    while todo:
        node = todo.pop()
        match node:
            case None:  # the end of a scope
                scopes.pop()
                continue
            case str():  # a name that is declared from here on
                scopes[-1].add(node)
                continue
            case c_ast.ID(name=VariableName() as variable):
                use(variable.of, node, "value")
                todo.extend(reversed(variable.args or ()))
                continue
            case c_ast.ID():
                use(node.name, node, "value")
                continue
            case c_ast.IdentifierType(names=[ClassName() as name]):
                use_class(name, node)
                continue
            case Member():
                use_class(node.of, node)
                continue
            case ClassTemplate():
                scopes.append({node.name})
                heads = [part for p in node.params for part in (p, p.name)]
                todo.extend([None, node.node, *reversed([*heads, *(node.arguments or ())])])
                continue
            case c_ast.IdentifierType():
                if len(node.names) == 1 and node.names[0] not in _BASIC:
                    use(node.names[0], node, "type")
                continue
            case c_ast.FuncCall(name=c_ast.ID() as callee):
                use(callee.name, callee, "call")
                todo.extend([node.args] if node.args is not None else [])
                continue
            case c_ast.FuncCall(name=TemplateId() as callee):
                use(callee.name, callee, "call")
                todo.extend([node.args] if node.args is not None else [])
                todo.extend(reversed(callee.args))
                continue
            case c_ast.StructRef():
                todo.append(node.name)
                continue
            case VariableTemplate():
                scopes.append(set())
                heads = [part for p in node.params for part in (p, p.name)]
                todo.extend([None, node.decl, *reversed(heads)])
                continue
            case Template():
                scopes.append(set())
                heads = [part for p in node.params for part in (p, p.name)]
                todo.extend([None, node.function, *reversed([*heads, *node.arguments, *node.conditions])])
                continue
            case Class():
                inner = [*node.decls, *node.types, *node.statics, *(m.decl for m in node.methods)]
                scopes[-1] |= {node.name} - {None}
                scopes.append({part.name for part in inner} | _enumerators(node) | node.inside)
                todo.extend([None, *reversed(node.on_device())])
                continue
            case c_ast.BinaryOp(op=op) | c_ast.UnaryOp(op=op) | c_ast.Assignment(op=op):
                use(f"operator{op.removeprefix('p')}", node, "operator")
            case c_ast.FuncDef():
                scopes.append(set())
                inner = node.decl.type.args.params if node.decl.type.args else []
                todo.extend([None, node.body, *reversed(inner), node.decl.type.type])
                continue
            case c_ast.FuncDecl():
                todo.append(node.type)
                continue
            case c_ast.Compound() | c_ast.For():
                scopes.append(set())
                todo.append(None)
            case c_ast.Decl() | c_ast.Typedef():
                init = getattr(node, "init", None)
                todo.extend(child for child in (init, node.name, node.type) if child is not None)
                continue
            case c_ast.Struct() if node.name is not None and node.decls is None:
                use(node.name, node, "type")
            case c_ast.Enum() if node.name is not None and node.values is None:
                use(node.name, node, "type")
            case c_ast.Enumerator():
                todo.append(node.name)
        todo.extend(child for _, child in reversed(node.children()))
    return tuple(found.values())
