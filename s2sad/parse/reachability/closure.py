"""Parse what a kernel reaches by name, item by item; nothing else of the file is parsed.

A name of something that isn't supported is refused where it is used. A name that isn't
declared may be a built-in, which lowering knows; otherwise undeclared_names.py explains why
it is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import files
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...source import Span
from ..desugar import launched_memory, member_operators
from ..desugar.lambda_lifting import lifted
from ..source.name_lookup import Lookup
from ..source.namespaces import aliased, names
from ..source.pp_tokens import Lexeme
from ..source.preprocess import Preprocessed
from ..source.toplevel import DEVICE, Item
from ..syntax.classes import Class
from ..syntax.dialect import Dialect
from ..syntax.free_names import Use, uses
from ..syntax.positions import Range
from ..syntax.qualified_types import OF_TYPES, member_types
from ..syntax.templates import Template
from ..types.builtins import BUILTINS
from . import call_graph, predeclared_names, undeclared_names


@dataclass(frozen=True)
class Reached:
    """A kernel and what it reaches: `items` in the order of the file, `functions` callees first."""

    items: tuple[Item, ...]
    nodes: Mapping[Item, Sequence[Any]]
    functions: tuple[Any, ...]
    names: frozenset[str]
    ranges: dict[int, Range]


def reach(unit: Preprocessed, items: Sequence[Item], kernel: Item, more: Collection[str] = ()) -> Reached:
    """Parse the kernel and, transitively, what it uses; `more` are further names that it uses."""
    return _Reach(unit, items, kernel).reached(more)


class _Reach:
    def __init__(self, unit: Preprocessed, items: Sequence[Item], kernel: Item) -> None:
        self.unit = unit
        self.kernel = kernel
        self.named: dict[str, list[Item]] = {}
        for item in items:
            for name in item.names:
                self.named.setdefault(name, []).append(item)
        self.taken = set(self.named)
        types = [t for i in items for t in i.types]
        built_in = predeclared_names.TYPES - self.named.keys()  # `half` may be a function here
        self.parser = Dialect(unit.tokens, [*built_in, *types], names(items, unit.tokens))
        self.parser.function_templates = predeclared_names.TEMPLATES.union(
            *(i.names for i in items if i.kind == "template" and i.inner in ("device", "host", "prototype"))
        )
        self.parser.variable_templates = frozenset(
            n for i in items if i.is_variable_template for n in i.names
        )
        library = OF_TYPES - self.named.keys()
        self.parser.members = dict.fromkeys(library, frozenset({"type"})) | _members(unit.tokens, items)
        self.parser.generic = library.union(n for i in items if i.is_generic for n in i.names)
        self.lookup = Lookup(unit.tokens, items)
        self.several = frozenset(
            name
            for name, every in self.named.items()
            if len({i.scope for i in every}) > 1 or (name in BUILTINS and any(i.scope for i in every))
        )
        self.reported: set[str] = set()  # names that are reported to be of several namespaces
        self.meant: dict[str, frozenset[tuple[str, ...]]] = {}  # the namespaces of a name's meanings
        self.parsed: dict[Item, list[Any]] = {}
        self.lifted: dict[Item, list[Template]] = {}  # what an item's lambdas and operators became
        self.calls: dict[Item, tuple[Use, ...]] = {}
        self.problems: list[Diagnostic] = []

    def reached(self, more: Collection[str]) -> Reached:
        todo = [self.kernel]
        for name in more:
            todo += [i for i in self.named.get(name, ()) if i.defines_types or self._is_constant(i)]
        while todo:
            item = todo.pop(0)
            if item in self.parsed:
                continue
            self.parsed[item] = self._parse(item)
            every = [*self.parsed[item], *self.lifted.get(item, ())]
            self.calls[item] = tuple(use for node in every for use in uses(node, self.several))
            for use in self.calls[item]:
                todo.extend(self._reached(use, item))
        self.problems = undeclared_names.explained(self.unit, self.problems, self._undeclared())
        if not self.problems:
            functions = self._callees_first()
            self._pass_shared_memory(functions)
        if self.problems:
            raise Rejected(*_in_order(self.problems))
        items = tuple(sorted(self.parsed, key=lambda item: item.first))
        names = frozenset(use.name for found in self.calls.values() for use in found).union(more)
        return Reached(items, self.parsed, functions, names, self.parser.ranges)

    def _pass_shared_memory(self, functions: Sequence[Any]) -> None:
        """Move shared memory of the file and of functions into the kernel, and pass it on."""
        shared = [item for item in self.parsed if item.is_shared]
        decls = {node.name: node for item in shared for node in self.parsed.pop(item)}
        others = [node for item, nodes in self.parsed.items() if item.defines_types for node in nodes]
        kernel, *_ = self.parsed[self.kernel]
        used = {
            id(getattr(node, "function", node)): [
                decls[use.name] for use in (uses(node) if decls else ()) if use.name in decls
            ]
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
        for node in nodes if item.defines_types and not self._is_specialised(item) else ():
            self.lifted.setdefault(item, []).extend(member_operators.moved(self.parser, node))
        return nodes

    def _is_specialised(self, item: Item) -> bool:
        """Whether a class template of the file has specialisations, whose operators may differ."""
        every = {name: self.named.get(name, ()) for name in item.names if item.is_generic}
        return any(
            [self.unit.tokens[k].value, self.unit.tokens[k + 1].value] == [name, "<"]
            and self.unit.tokens[k - 1].value in ("struct", "class")
            for name, items in every.items()
            for other in items
            for k in range(other.first + 1, other.end - 1)
        )

    def _lifted(self, node: Any) -> list[Template]:
        try:
            found = lifted(self.parser, node, self.taken)
        except Rejected as rejected:
            self.problems.extend(rejected.diagnostics)
            return []
        self.taken.update(template.decl.name for template in found)
        return found

    def _reached(self, use: Use, user: Item) -> list[Item]:
        """Return the items that a name denotes; a name that denotes none may be a built-in."""
        found = self._of_one_namespace(use, user)
        if not found or (use.name in BUILTINS and not any(i.kind in ("device", "template") for i in found)):
            return []
        if use.role == "operator":  # of the built-in types, unless there is one of the file's
            return [i for i in found if i.is_device]
        return [i for i in found if self._is_usable(i, found)] or self._unusable(use, found[0])

    def _is_usable(self, item: Item, found: Sequence[Item]) -> bool:
        """Whether a kernel can use one of the items of a name."""
        if item.inner == "prototype":
            return any(other.inner == "device" for other in found)
        if item.is_variable_template:
            return len(found) == 1 and ("__constant__" in item.words or self._is_const(item))
        return item.is_device or item.defines_types or item.is_shared or self._is_constant(item)

    def _unusable(self, use: Use, item: Item) -> list[Item]:
        """Report why a kernel can't use what a name denotes."""
        span = self._span(use.node)
        match item.kind:
            case "template" if item.inner == "host" and use.role == "call":
                self._problem(Code.NOT_ON_THE_DEVICE, span, name=use.name)
            case "template" if item.inner == "prototype":
                self._undefined(use.name, item)
            case "template":
                self._problem(Code.NO_TEMPLATES, span, name=use.name)
            case "variable":
                why = "it has no value in this file" if "const" in item.words else "it isn't in device memory"
                self._problem(Code.FILE_VARIABLE, span, name=use.name, why=why)
            case "kernel":
                self._problem(Code.DYNAMIC_PARALLELISM, span)
            case "host" if use.role == "call":
                self._problem(Code.NOT_ON_THE_DEVICE, span, name=use.name)
            case "prototype" if item.words & {"__device__"}:
                self._undefined(use.name, item)
        return []

    def _of_one_namespace(self, use: Use, user: Item) -> list[Item]:
        """Return the items of that name that C++ selects here; refuse those of two namespaces."""
        every = self.named.get(use.name, [])
        if use.name not in self.several:
            return every
        built_in = use.name in BUILTINS
        if (
            len({item.scope for item in every}) > 1
            and len({aliased(self.unit.tokens, item) for item in every} - {""}) == 1
        ):
            return every[:1]
        found = self.lookup.found(every, use.node.coord.index, user)
        found = found or ([] if built_in else every)
        scopes = frozenset(item.scope for item in found)
        before = self.meant.setdefault(use.name, scopes)
        unclear = scopes != before or not self._may_be_overloads(found)
        if unclear and use.name not in self.reported:
            self.reported.add(use.name)
            both = sorted("::".join(s) or "the file" for s in scopes | before)
            both += [] if scopes and before else ["CUDA"]
            span, where = self._span(use.node), " and in ".join(both)
            self._problem(Code.SEVERAL_NAMESPACES, span, name=use.name, scopes=where)
        return found

    def _may_be_overloads(self, found: Sequence[Item]) -> bool:
        """Whether items of one name are of one namespace, or functions among which the arguments choose."""
        return len({item.scope for item in found}) < 2 or all(
            i.is_device or i.inner in ("device", "prototype") or i.kind == "prototype" for i in found
        )

    def _undefined(self, name: str, item: Item) -> None:
        where = files.definer_of(name, self.unit.source.name)
        option = f": --include {where}" if where else ""
        self._problem(Code.NOT_DEFINED, self.unit.tokens[item.at].span, name=name, option=option)

    def _problem(self, code: Code, span: Span, **values: str) -> None:
        self.problems.append(diagnose(code, span, **values))

    def _is_constant(self, item: Item) -> bool:
        return item.kind == "variable" and bool(item.words & DEVICE or self._is_const(item))

    def _is_const(self, item: Item) -> bool:
        """Whether a variable of the file is `const` and initialised there."""
        direct = self.unit.tokens[item.at + 1].value == "("  # `constexpr int N(3);`
        has_value = direct or any(t.value in ("=", "{") for t in self.unit.tokens[item.first : item.end])
        return has_value and not item.words.isdisjoint(("const", "constexpr"))

    def _undeclared(self) -> Iterator[Use]:
        """Yield the uses of names that the file doesn't declare."""
        beside = {name for nodes in self.parsed.values() for node in nodes for name in _friends(node)}
        beside |= {template.decl.name for found in self.lifted.values() for template in found}
        for use in (use for found in self.calls.values() for use in found):
            if use.role != "operator" and use.name not in self.named and use.name not in beside:
                yield use

    def _callees_first(self) -> tuple[Any, ...]:
        """Return the functions, each after those it calls."""

        def used(item: Item) -> Iterator[Item]:
            every = (other for use in self.calls[item] for other in self.named.get(use.name, ()))
            return (other for other in every if other in self.parsed)

        order, cycles = call_graph.callees_first(self.kernel, used)
        for cycle in cycles:
            self._recursion(cycle)
        functions: list[Any] = [
            template for item in self.parsed if item.defines_types for template in self.lifted.get(item, ())
        ]
        for item in order:
            functions += self.lifted.get(item, ())
            functions += self.parsed[item] if item is not self.kernel else ()
        return tuple(functions)

    def _recursion(self, cycle: Sequence[Item]) -> None:
        if any(
            c.names[0].startswith(("operator", "make_"))
            or c.names[0] in BUILTINS
            or len([i for i in self.named[c.names[0]] if i.kind == "device"]) > 1
            for c in cycle
        ):
            return  # overloads, or functions that CUDA has too: types decide whether it is the same one
        spans = [self.unit.tokens[item.at].span for item in cycle]
        related = tuple((s, f"through `{i.names[0]}`") for s, i in zip(spans[1:], cycle[1:], strict=True))
        self.problems.append(Diagnostic(Code.RECURSION, spans[0], {"name": cycle[0].names[0]}, related))


def _friends(node: Any) -> Iterator[str]:
    """Yield the functions outside a class that are defined in it."""
    if isinstance(node, Class):
        yield from (function.decl.name for function in node.friends)
    for _, child in node.children():
        yield from _friends(child)


def _members(tokens: Sequence[Lexeme], items: Sequence[Item]) -> dict[str, frozenset[str]]:
    """Map the classes and class templates of the file to the types among their members."""
    found: dict[str, frozenset[str]] = {}
    for item in items:
        if item.kind == "struct" or item.is_generic:
            inner = member_types(tokens, item.first, item.end)
            for name in item.names:
                found[name] = found.get(name, frozenset()) | inner
    return found


def _in_order(problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Sort the problems by their position in the file, each once."""
    seen: dict[tuple[Code, str, str], Diagnostic] = {}
    for problem in problems:
        seen.setdefault((problem.code, str(problem.span), problem.title), problem)
    return sorted(seen.values(), key=lambda p: p.span.start if p.span else 0)
