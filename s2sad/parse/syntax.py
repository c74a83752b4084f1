"""From a file to one kernel and its closure, parsed, with the author's text at hand.

Nothing has a type or a meaning yet: that is lowering's part. What this guarantees is
that every node can be traced to the tokens it was parsed from, and those to the
characters that the author wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..source import Source, Span
from . import closure, pragma, scan
from .closure import Item, Use
from .depth import deep
from .dialect import Dialect, Range
from .prelude import BUILTINS
from .preprocess import Preprocessed, preprocess
from .scan import Definition, Lexeme, words

_SCALARS = words("char uchar short ushort int uint long ulong longlong ulonglong float double")
TYPES = words(
    "size_t ssize_t ptrdiff_t intptr_t uintptr_t clock_t dim3 uchar ushort uint ulong "
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


@dataclass(frozen=True)
class KernelEntry:
    """A kernel that a file holds."""

    name: str
    span: Span
    parameters: str
    is_template: bool


@dataclass(frozen=True)
class Syntax:
    """One kernel and its closure, parsed. Nodes are pycparser's.

    `functions` are the `__device__` functions that it reaches, callees first;
    `constants` the file-scope constants, `types` the typedefs and enums, in the order
    of the file, and `texts` what the author wrote for the types. `macros` are
    object-like macros that emitted text may name.
    """

    kernel: Any
    functions: tuple[Any, ...]
    constants: tuple[Any, ...]
    types: tuple[Any, ...]
    texts: tuple[str, ...]
    macros: dict[str, ir.Macro]
    pragma: dict[str, tuple[str, ...]]
    choices: tuple[str, ...]
    _tokens: tuple[Lexeme, ...] = field(repr=False)
    _ranges: dict[int, Range] = field(repr=False)

    def range(self, node: Any) -> tuple[int, int]:
        """The indices of a node's first and last token, without parentheses around it."""
        first, last, _, _ = self._range(node)
        return first, last

    def _range(self, node: Any) -> tuple[int, int, int, int]:
        noted = self._ranges.get(id(node))
        if noted is not None:
            return noted.first, noted.last, noted.outer_first, noted.outer_last
        parts = [self._range(child) for _, child in node.children()] if isinstance(node, c_ast.Node) else []
        own = getattr(getattr(node, "coord", None), "index", None)
        if own is not None:
            parts.append((own, own, own, own))
        if not parts:
            return 0, 0, 0, 0
        first, last = min(p[2] for p in parts), max(p[3] for p in parts)
        return first, last, first, last

    def span(self, node: Any) -> Span:
        """Where the author wrote a node, first to last token; of a macro's text, its use."""
        first, last = self.range(node)
        return _hull(self._tokens[first], self._tokens[last])

    def text(self, node: Any) -> str:
        """What the author wrote there."""
        return self.span(node).text

    def head(self, node: Any) -> Span:
        """Of an `if`, a loop or a `switch`, what comes before its body: `for (…; …; …)`."""
        first, last = self.range(node)
        depth = 0
        for i in range(first, last + 1):
            depth += {"(": 1, ")": -1}.get(self._tokens[i].value, 0)
            if depth == 0 and self._tokens[i].value == ")":
                return _hull(self._tokens[first], self._tokens[i])
        return self.span(node)

    def spelling(self, node: Any) -> tuple[str, str | None] | None:
        """How the author spelled a value that is one name or literal.

        The use of an object-like macro if the node is all of it, `("STEPS", "STEPS")`;
        of a literal its text, `("0.25f", None)`; else None.
        """
        first, last, outer_first, outer_last = self._range(node)
        for a, b in ((outer_first, outer_last), (first, last)):
            for use in self._tokens[a].uses:
                if use.name in self.macros and self._is_all_of(use, a, b):
                    return use.name, use.name
        if isinstance(node, c_ast.Constant) and node.type != "string":
            return node.value, None
        return None

    def _is_all_of(self, use: scan.Use, first: int, last: int) -> bool:
        """Whether these tokens are what the use of the macro expanded to, and no other."""
        before = self._tokens[first - 1].uses if first > 0 else ()
        after = self._tokens[last + 1].uses if last + 1 < len(self._tokens) else ()
        return use in self._tokens[last].uses and use not in before and use not in after


def kernels(
    source: Source, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()
) -> tuple[KernelEntry, ...]:
    """The kernels of a file, in order, templates too."""
    unit = preprocess(source, defines, includes)
    return tuple(_entries(unit, closure.split(unit.tokens)))


def parse(
    source: Source,
    kernel: str | None = None,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
) -> Syntax:
    """The kernel of that name, or the only one, and what it reaches."""
    return deep(lambda: _Closure(source, kernel, defines, includes).syntax())


def _entries(unit: Preprocessed, items: Sequence[Item]) -> Iterator[KernelEntry]:
    for item in items:
        if item.kind in ("kernel", "template") and "__global__" in item.words and item.body:
            name = unit.tokens[item.at]
            opening, closing = unit.tokens[item.at + 1], unit.tokens[item.body - 1]
            inside = (
                Span(opening.origin, opening.end, closing.start) if opening.origin is closing.origin else None
            )
            text = " ".join(inside.text.split()) if inside else ""
            yield KernelEntry(name.value, name.span, text, item.kind == "template")


class _Closure:
    """Parses the kernel, then what it uses, then what that uses."""

    def __init__(
        self, source: Source, kernel: str | None, defines: Mapping[str, str] | None, includes: Sequence[Path]
    ) -> None:
        self.source = source
        self.unit = preprocess(source, defines, includes)
        self.items = closure.split(self.unit.tokens)
        self.named: dict[str, list[Item]] = {}
        for item in self.items:
            for name in item.names:
                self.named.setdefault(name, []).append(item)
        self.parser = Dialect(self.unit.tokens, [*TYPES, *(t for i in self.items for t in i.types)])
        self.parsed: dict[Item, list[Any]] = {}
        self.calls: dict[Item, tuple[Use, ...]] = {}
        self.problems: list[Diagnostic] = []
        self.kernel = self._choose(kernel)

    # ---- which kernel --------------------------------------------------------

    def _choose(self, name: str | None) -> Item:
        entries = tuple(_entries(self.unit, self.items))
        file, names = self.source.name, [e.name for e in entries]
        start = Span(self.source, 0, 0)
        if not entries:
            help = "a kernel is a __global__ function with a body"
            raise Rejected(diagnose(Code.NO_KERNEL, start, file=file, help=help))
        if name is None and len(set(names)) > 1:
            commands = "\n".join(f"s2sad transform {file} --kernel {n}" for n in dict.fromkeys(names))
            count = str(len(entries))
            raise Rejected(
                diagnose(Code.SEVERAL_KERNELS, entries[0].span, file=file, count=count, commands=commands)
            )
        name = name or names[0]
        if name not in names:
            help = "it has " + ", ".join(dict.fromkeys(names))
            raise Rejected(diagnose(Code.NO_SUCH_KERNEL, start, file=file, name=name, help=help))
        chosen = [i for i in self.named[name] if "__global__" in i.words and i.body]
        if chosen[0].kind == "template":
            raise Rejected(diagnose(Code.NO_TEMPLATES, self.unit.tokens[chosen[0].at].span, name=name))
        if len(chosen) > 1:
            what = f"two kernels are named {name}"
            span = self.unit.tokens[chosen[1].at].span
            raise Rejected(diagnose(Code.NOT_SUPPORTED, span, what=what, help="rename one of them"))
        return chosen[0]

    # ---- what it reaches -----------------------------------------------------

    def syntax(self) -> Syntax:
        todo = [self.kernel]
        while todo:
            item = todo.pop(0)
            if item in self.parsed:
                continue
            self.parsed[item] = self._parse(item)
            self.calls[item] = tuple(use for node in self.parsed[item] for use in closure.uses(node))
            for use in self.calls[item]:
                todo.extend(self._reached(use))
        self._blame_includes()
        if self.problems:
            raise Rejected(*_in_order(self.problems))
        functions = self._callees_first()
        if self.problems:
            raise Rejected(*_in_order(self.problems))
        return self._syntax(functions)

    def _parse(self, item: Item) -> list[Any]:
        self.parser.problems = []
        is_function = item.kind in ("kernel", "device")
        try:
            nodes = self.parser.item(item.first, item.end, is_function, alias=item.kind == "alias")
        except Rejected as error:
            self.problems.extend(error.diagnostics)
            return []
        self.problems.extend(self.parser.problems)
        return nodes

    def _reached(self, use: Use) -> list[Item]:
        """The items that a name leads to; a name that leads nowhere may be a built-in."""
        found = self.named.get(use.name, [])
        if not found or (use.name in BUILTINS and not any(i.kind in ("device", "template") for i in found)):
            return []
        usable = [
            i for i in found if i.kind in ("device", "typedef", "alias", "enum") or self._is_constant(i)
        ]
        if usable:
            return usable
        span = self.unit.tokens[use.node.coord.index].span
        item = found[0]
        match item.kind:
            case "template":
                self._problem(Code.NO_TEMPLATES, span, name=use.name)
            case "struct" if "enum" in item.words:
                what = f"`{use.name}` belongs to a scoped enumeration"
                self._problem(Code.NO_CLASSES, span, what=what, help="write `enum` without `class`")
            case "struct":
                self._problem(Code.STRUCT, span, name=use.name)
            case "variable":
                self._problem(Code.FILE_VARIABLE, span, name=use.name, why=self._why_not_constant(item))
            case "kernel":
                self._problem(Code.DYNAMIC_PARALLELISM, span)
            case "host" if use.role == "call":
                self._problem(Code.NOT_ON_THE_DEVICE, span, name=use.name)
            case "prototype" if item.words & {"__device__"}:
                self._problem(Code.NOT_DEFINED, self.unit.tokens[item.at].span, name=use.name)
        return []

    def _blame_includes(self) -> None:
        """If a name is declared nowhere and an include wasn't found, that is what is wrong."""
        if not self.unit.missing:
            return
        tokens = self.unit.tokens
        unknown: dict[str, Span] = {}
        for problem in self.problems:
            if problem.code is Code.UNKNOWN_TYPE and problem.span is not None:
                unknown.setdefault(problem.values["name"], problem.span)
        for uses in self.calls.values():
            for use in uses:
                if use.name not in self.named and not _is_built_in(use.name):
                    unknown.setdefault(use.name, tokens[use.node.coord.index].span)
        if not unknown:
            return
        self.problems = [p for p in self.problems if p.code is not Code.UNKNOWN_TYPE]
        first, *others = self.unit.missing
        related = [(span, f"`{name}` is used here") for name, span in unknown.items()]
        related += [(other.span, f"{other.name} isn't found either") for other in others]
        values = {"file": first.name, "names": ", ".join(f"`{name}`" for name in unknown)}
        self.problems.append(Diagnostic(Code.MISSING_INCLUDE, first.span, values, tuple(related)))

    def _problem(self, code: Code, span: Span, **values: str) -> None:
        self.problems.append(diagnose(code, span, **values))

    def _is_constant(self, item: Item) -> bool:
        fixed = item.words & {"const", "constexpr", "__constant__"}
        return item.kind == "variable" and bool(fixed) and self._has_value(item)

    def _has_value(self, item: Item) -> bool:
        return any(t.value in ("=", "{") for t in self.unit.tokens[item.first : item.end])

    def _why_not_constant(self, item: Item) -> str:
        if item.words & {"__constant__", "const"}:
            return "it has no value in this file"
        return "it isn't const" if item.words & {"__device__", "__managed__"} else "it isn't on the device"

    def _callees_first(self) -> tuple[Any, ...]:
        """The device functions so that each comes after those it calls."""
        order: list[Any] = []
        done: set[Item] = set()
        path: list[Item] = []

        def visit(item: Item) -> None:
            if item in done:
                return
            if item in path:
                self._recursion(path[path.index(item) :])
                return
            path.append(item)
            for use in self.calls[item]:
                for callee in self.named.get(use.name, []):
                    if callee.kind == "device" and callee in self.parsed:
                        visit(callee)
            path.pop()
            done.add(item)
            if item.kind == "device":
                order.extend(self.parsed[item])

        visit(self.kernel)
        return tuple(order)

    def _recursion(self, cycle: list[Item]) -> None:
        if any(len([i for i in self.named[c.names[0]] if i.kind == "device"]) > 1 for c in cycle):
            return  # overloads: whether it is the same function, types decide
        spans = [self.unit.tokens[item.at].span for item in cycle]
        related = tuple((s, f"through `{i.names[0]}`") for s, i in zip(spans[1:], cycle[1:], strict=True))
        self.problems.append(Diagnostic(Code.RECURSION, spans[0], {"name": cycle[0].names[0]}, related))

    # ---- putting it together -------------------------------------------------

    def _syntax(self, functions: tuple[Any, ...]) -> Syntax:
        reached = sorted(self.parsed, key=lambda item: item.first)
        used = {use.name for found in self.calls.values() for use in found}
        types = [i for i in reached if i.kind in ("typedef", "alias", "enum")]
        return Syntax(
            kernel=self.parsed[self.kernel][0],
            functions=functions,
            constants=tuple(
                n for i in reached if i.kind == "variable" for n in self.parsed[i] if n.name in used
            ),
            types=tuple(n for i in types for n in self.parsed[i]),
            texts=tuple(_hull(self.unit.tokens[i.first], self.unit.tokens[i.end - 1]).text for i in types),
            macros=self._macros(reached),
            pragma=self._pragma(),
            choices=self._choices(reached),
            _tokens=self.unit.tokens,
            _ranges=self.parser.ranges,
        )

    def _macros(self, reached: Sequence[Item]) -> dict[str, ir.Macro]:
        """The object-like macros used in the closure whose text means the same in another file."""
        used: dict[str, list[Definition]] = {}
        for item in reached:
            for token in self.unit.tokens[item.first : item.end]:
                for use in token.uses:
                    used.setdefault(use.name, []).append(use.definition)
        result: dict[str, ir.Macro] = {}

        def usable(name: str, seen: tuple[str, ...]) -> bool:
            definitions = self.unit.definitions.get(name, ())
            if (
                len({d.text for d in definitions}) != 1
                or definitions[0].parameters is not None
                or name in seen
            ):
                return False
            needs = [n for n in definitions[0].names if n in self.unit.definitions]
            if not all(usable(n, (*seen, name)) for n in needs):
                return False
            result.setdefault(name, ir.Macro(name, definitions[0].text, tuple(needs)))
            return True

        for name in used:
            usable(name, ())
        return result

    def _choices(self, reached: Sequence[Item]) -> tuple[str, ...]:
        """The `#if` lines that decided something about the closure or the macros in it."""
        tokens = self.unit.tokens
        spans = [_hull(tokens[i.first], tokens[i.end - 1]) for i in reached]
        for item in reached:
            for token in tokens[item.first : item.end]:
                spans.extend(use.definition.span for use in token.uses if use.definition.span is not None)
        places = {(span.source.name, span.start, span.end) for span in spans}
        return tuple(
            choice.within(self.source)
            for choice in self.unit.choices
            if not choice.guard
            and any(
                name == choice.span.source.name and start < choice.end and choice.span.start < end
                for name, start, end in places
            )
        )

    def _pragma(self) -> dict[str, tuple[str, ...]]:
        """What the author asks for before the kernel, or in the first line of the file."""
        tokens, item = self.unit.tokens, self.kernel
        before = max((i.end for i in self.items if i.end <= item.first), default=0)
        begin = tokens[before - 1].end if before and tokens[before - 1].origin is self.source else 0
        words: dict[str, tuple[str, ...]] = {}
        for text, span in self.unit.remarks:
            if span.source is self.source and span.line == 1:
                words.update(pragma.of_remark(text, span))
        for text, span in self.unit.remarks:
            if (
                span.source is self.source
                and begin <= span.start < tokens[item.first].start
                and span.line > 1
            ):
                words.update(pragma.of_remark(text, span))
        for token in tokens[before : item.end]:
            if token.type == scan.PRAGMA and token.value.split()[:1] == ["s2sad"]:
                words.update(pragma.of_pragma(token.value, token.span))
        return words


def _is_built_in(name: str) -> bool:
    """Whether CUDA or C declare a name without a header of the project's."""
    return name in BUILTINS or name in TYPES or name in _BUILT_IN or name.startswith(_BUILT_IN_PREFIXES)


def _hull(first: Lexeme, last: Lexeme) -> Span:
    """The characters from one token to another, if they are of one file."""
    if first.origin is not last.origin:
        return first.span
    return Span(first.origin, min(first.start, last.start), max(first.end, last.end))


def _in_order(problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    """As they stand in the file, each once."""
    seen: dict[tuple[Code, str, str], Diagnostic] = {}
    for problem in problems:
        seen.setdefault((problem.code, str(problem.span), problem.title), problem)
    return sorted(seen.values(), key=lambda p: p.span.start if p.span else 0)
