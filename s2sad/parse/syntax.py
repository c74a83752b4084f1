"""From a file to one kernel and its closure, parsed, with the author's text at hand.

Nothing has a type or a meaning yet: that is lowering's part. What this guarantees is
that every node can be traced to the tokens it was parsed from, and those to the
characters that the author wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..source import Source, Span
from . import beside, chosen, libraries, pragma, scan, templates, volatiles
from .angles import Template
from .brackets import angle_end
from .classes import Class, fields_text
from .classids import ClassTemplate
from .closure import Reached, reach
from .depth import deep
from .items import Item, split
from .namespaces import names, unqualified
from .noting import Range
from .preprocess import Preprocessed, preprocess
from .scan import Definition, Lexeme
from .templates import Argument
from .variable_templates import VariableTemplate


@dataclass(frozen=True)
class KernelEntry:
    """A kernel that a file holds."""

    name: str
    span: Span
    parameters: str
    is_template: bool
    choice: str  # what to ask for to have this one


@dataclass(frozen=True)
class Syntax:
    """One kernel and its closure, parsed. Nodes are pycparser's.

    `functions` are the `__device__` functions and function templates that it reaches, callees first;
    `declarations` the constants, typedefs, structs and enums of the file in its order, with what the
    author wrote for a type and nothing for a constant, `classes` the class templates, `variables` those
    of variables. `macros` are object-like macros that emitted text may name.
    """

    kernel: Any
    template: Any  # the kernel's, or None
    arguments: tuple[Argument, ...]  # what its parameters stand for
    functions: tuple[Any, ...]
    declarations: tuple[tuple[tuple[Any, ...], str], ...]
    classes: tuple[ClassTemplate, ...]
    variables: tuple[VariableTemplate, ...]
    macros: dict[str, ir.Macro]
    pragma: dict[str, tuple[str, ...]]
    choices: tuple[str, ...]
    one_dimensional: bool  # a thread's rank was taken for its `threadIdx.x`
    remarks: tuple[Diagnostic, ...]
    _tokens: tuple[Lexeme, ...] = field(repr=False)
    _ranges: dict[int, Range] = field(repr=False)
    _namespaces: frozenset[str] = field(repr=False)

    @property
    def constants(self) -> tuple[Any, ...]:
        """The nodes of the constants."""
        return tuple(node for nodes, text in self.declarations for node in nodes if not text)

    @property
    def types(self) -> tuple[Any, ...]:
        """The nodes of the types."""
        return tuple(node for nodes, text in self.declarations for node in nodes if text)

    @property
    def texts(self) -> tuple[str, ...]:
        """What the author wrote for them."""
        return tuple(text for _, text in self.declarations if text)

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

    def stands_for(self, made: Any, node: Any) -> None:
        """Let a node that was made of another have its place, and be spelled as it is."""
        noted = self._ranges.get(id(node))
        if noted is not None:
            self._ranges[id(made)] = noted.of(made)

    def span(self, node: Any) -> Span:
        """Where the author wrote a node, first to last token; of a macro's text, its use."""
        first, last = self.range(node)
        return _hull(self._tokens[first], self._tokens[last])

    def text(self, node: Any) -> str:
        """What the author wrote there, in an emitted file's terms: without the file's namespaces."""
        first, last = self.range(node)
        return unqualified(_text(self._tokens, first, last), self._namespaces)

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
    return File.read(source, defines, includes).kernels


def parse(
    source: Source,
    kernel: str | None = None,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    template: Mapping[str, str] | None = None,
) -> Syntax:
    """The kernel of that name, or the only one, and what it reaches.

    `template` says what parameters of its template are: `{"T": "float", "N": "4"}`.
    """
    return File.read(source, defines, includes).parse(kernel, template)


@dataclass(frozen=True)
class File:
    """A file preprocessed and split once, of which several kernels can be parsed."""

    unit: Preprocessed = field(repr=False)
    items: tuple[Item, ...] = field(repr=False)

    @staticmethod
    def read(source: Source, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()) -> File:
        """The file; the two that were read last are kept, for a request asks for each several times."""
        asked = (dict(defines or {}), tuple(includes))
        for known, file in _last:
            if known == asked and file.unit.source is source:
                return file

        def run() -> File:
            unit = beside.together(preprocess(source, defines, includes), defines, includes)
            unit = replace(unit, tokens=libraries.plain(unit.tokens))
            return File(unit, beside.meant(unit, split(unit.tokens)))

        file = deep(run)
        _last[:] = [*_last[-1:], (asked, file)]
        return file

    @property
    def kernels(self) -> tuple[KernelEntry, ...]:
        """The kernels, in order, templates too."""
        return tuple(self._entries())

    def _entries(self) -> Iterator[KernelEntry]:
        tokens = self.unit.tokens
        found = chosen.entries(tokens, self.items)
        for item in found:
            opening = item.at + 1
            if chosen.is_special(tokens, item):
                opening = (angle_end(tokens, opening) or item.at) + 1
            name, first, last = tokens[item.at], tokens[opening], tokens[item.body - 1]
            text = ""
            if first.origin is last.origin:
                text = " ".join(Span(first.origin, first.end, last.start).text.split())
            choice = chosen.spelled(tokens, found, item, self.unit.source.name)
            yield KernelEntry(name.value, name.span, text, item.kind == "template", choice)

    def parse(self, kernel: str | None = None, template: Mapping[str, str] | None = None) -> Syntax:
        """The kernel of that name, or the only one, and what it reaches."""
        item, notes = self._choose(kernel, template or {})
        return deep(lambda: _syntax(self, item, template or {}, notes))

    def _choose(self, name: str | None, template: Mapping[str, str]) -> tuple[Item, tuple[Diagnostic, ...]]:
        entries = self.kernels
        file, names = self.unit.source.name, [e.name for e in entries]
        start = Span(self.unit.source, 0, 0)
        if not entries:
            help = "a kernel is a __global__ function with a body"
            raise Rejected(diagnose(Code.NO_KERNEL, start, file=file, help=help))
        if name is None and len(set(names)) > 1:
            commands = "\n".join(f"s2sad transform {file} --kernel {e.choice}" for e in entries)
            count = str(len(entries))
            raise Rejected(
                diagnose(Code.SEVERAL_KERNELS, entries[0].span, file=file, count=count, commands=commands)
            )
        found = chosen.choose(self.unit.tokens, self.items, name or names[0], template, file)
        if found is None:
            help = "it has " + ", ".join(e.choice for e in entries)
            raise Rejected(diagnose(Code.NO_SUCH_KERNEL, start, file=file, name=name or "", help=help))
        return found


_DECLARED = ("typedef", "alias", "enum", "struct", "variable")

_last: list[tuple[object, File]] = []  # the last two files, and how they were asked for


def _syntax(file: File, kernel: Item, asked: Mapping[str, str], notes: tuple[Diagnostic, ...]) -> Syntax:
    said = _pragma(file, kernel)
    arguments: tuple[Argument, ...] = ()
    if chosen.is_special(file.unit.tokens, kernel):
        arguments = chosen.arguments_of(file.unit.tokens, file.items, kernel)
    elif kernel.kind == "template" or asked:
        in_source = dict(text.partition("=")[::2] for text in said.get("template", ()))
        given = {**in_source, **asked}
        arguments = templates.arguments(file.unit.tokens, file.items, kernel, given)
        special = chosen.specialised(file.unit.tokens, file.items, kernel, arguments, file.unit.source.name)
        if special is not kernel:
            kernel, said = special, {**said, **_pragma(file, special)}
    reached = reach(file.unit, file.items, kernel, templates.names(arguments))
    tokens, nodes, namespaces = file.unit.tokens, reached.nodes, names(file.items)
    parsed = nodes[kernel][0]
    is_template = isinstance(parsed, Template)
    for node in (parsed, *reached.functions):
        function = node.function if isinstance(node, Template) else node
        volatiles.settle(function, is_kernel=node is parsed)
    is_open = is_template and not chosen.is_special(tokens, kernel)

    def declared(item: Item) -> tuple[tuple[Any, ...], str]:
        if item.kind == "variable":
            return tuple(node for node in nodes[item] if node.name in reached.names), ""
        own = _definition(nodes[item], reached.ranges, tokens)
        text = own or unqualified(_text(tokens, item.first, item.end - 1), namespaces)
        return tuple(nodes[item]), text

    return Syntax(
        kernel=parsed.function if is_template else parsed,
        template=parsed if is_open else None,
        arguments=arguments,
        functions=reached.functions,
        declarations=tuple(declared(item) for item in reached.items if item.kind in _DECLARED),
        classes=tuple(n for item in reached.items for n in nodes[item] if isinstance(n, ClassTemplate)),
        variables=tuple(n for item in reached.items for n in nodes[item] if isinstance(n, VariableTemplate)),
        macros=_macros(file.unit, reached),
        pragma=said,
        choices=_choices(file.unit, reached),
        one_dimensional=any(
            isinstance(token, libraries.Rank)
            for item in reached.items
            for token in tokens[item.first : item.end]
        ),
        remarks=notes,
        _tokens=tokens,
        _ranges=reached.ranges,
        _namespaces=namespaces,
    )


def _definition(nodes: Sequence[Any], ranges: dict[int, Range], tokens: Sequence[Lexeme]) -> str:
    """Of a class with methods, its fields: they are all that the emitted file uses. Else nothing."""
    found = getattr(nodes[0], "type", None) if nodes else None
    more = isinstance(found, Class) and (found.methods or found.types or found.statics or found.friends)
    if not isinstance(found, Class) or not more or found.name is None:
        return ""
    spans = [ranges[id(decl)] for decl in found.decls]
    return fields_text(found, [_hull(tokens[s.first], tokens[s.last]).text for s in spans])


def _uses(unit: Preprocessed, reached: Reached) -> Iterator[scan.Use]:
    """The uses of macros in the closure."""
    for item in reached.items:
        for token in unit.tokens[item.first : item.end]:
            yield from token.uses


def _macros(unit: Preprocessed, reached: Reached) -> dict[str, ir.Macro]:
    """The object-like macros used in the closure whose text means the same in another file."""
    result: dict[str, ir.Macro] = {}
    judged: dict[str, bool] = {}

    def usable(name: str) -> bool:
        if name not in judged:
            judged[name] = False  # so that a cycle ends
            judged[name] = _is_usable(unit.definitions.get(name, ()))
            if judged[name]:
                definition = unit.definitions[name][0]
                needs = tuple(n for n in definition.names if n in unit.definitions)
                judged[name] = all(usable(n) for n in needs)
                if judged[name]:
                    result[name] = ir.Macro(name, definition.text, needs)
        return judged[name]

    for name in dict.fromkeys(use.name for use in _uses(unit, reached)):
        usable(name)
    return result


def _is_usable(definitions: Sequence[Definition]) -> bool:
    """Whether a name has one definition, and that one without parameters."""
    return len({d.text for d in definitions}) == 1 and definitions[0].parameters is None


def _choices(unit: Preprocessed, reached: Reached) -> tuple[str, ...]:
    """The `#if` lines that decided something about the closure or the macros in it."""
    tokens = unit.tokens
    spans = [_hull(tokens[item.first], tokens[item.end - 1]) for item in reached.items]
    spans += [use.definition.span for use in _uses(unit, reached) if use.definition.span is not None]
    places = {(span.source.name, span.start, span.end) for span in spans}
    return tuple(
        choice.within(unit.source)
        for choice in unit.choices
        if not choice.guard
        and any(
            name == choice.span.source.name and start < choice.end and choice.span.start < end
            for name, start, end in places
        )
    )


def _pragma(file: File, kernel: Item) -> dict[str, tuple[str, ...]]:
    """What the author asks for before the kernel, or in the first line of the file."""
    source, tokens = file.unit.source, file.unit.tokens
    before = max((item.end for item in file.items if item.end <= kernel.first), default=0)
    begin = tokens[before - 1].end if before and tokens[before - 1].origin is source else 0
    words: dict[str, tuple[str, ...]] = {}
    for text, span in file.unit.remarks:
        if span.source is source and span.line == 1:
            words.update(pragma.of_remark(text, span))
    for text, span in file.unit.remarks:
        if span.source is source and begin <= span.start < tokens[kernel.first].start and span.line > 1:
            words.update(pragma.of_remark(text, span))
    for token in tokens[before : kernel.end]:
        if token.type == scan.PRAGMA and token.value.split()[:1] == ["s2sad"]:
            words.update(pragma.of_pragma(token.value, token.span))
    return words


def _text(tokens: Sequence[Lexeme], first: int, last: int) -> str:
    """What the author wrote from one token to another; where directives stand between them, the tokens."""
    text = _hull(tokens[first], tokens[last]).text
    if re.search(r"^[ \t]*#", text, re.MULTILINE):
        return " ".join(token.value for token in tokens[first : last + 1] if token.type != scan.PRAGMA)
    return text


def _hull(first: Lexeme, last: Lexeme) -> Span:
    """The characters from one token to another, if they are of one file."""
    if first.origin is not last.origin:
        return first.span
    return Span(first.origin, min(first.start, last.start), max(first.end, last.end))
