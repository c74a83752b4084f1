"""Read one kernel and its closure from a file, parsed, with access to the author's text.

Nothing has a type or a meaning yet: lowering finds these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import ir
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..source import Source, Span
from .depth import deep
from .desugar import volatile
from .reachability.closure import Reached, reach
from .source import (
    cub_reductions,
    kernel_selection,
    kernel_template_args,
    linked_files,
    modern_spellings,
    pp_tokens,
    pragma,
)
from .source.brackets import angle_end
from .source.kernel_template_args import Argument
from .source.namespaces import names, unqualified
from .source.pp_tokens import Definition, Lexeme
from .source.preprocess import Preprocessed, preprocess
from .source.token_rewriting import Rank
from .source.toplevel import Item, split
from .syntax import translation_unit
from .syntax.classes import Class, fields_text
from .syntax.positions import Range
from .syntax.qualified_types import ClassTemplate, VariableTemplate
from .syntax.templates import Template
from .syntax.translation_unit import Syntax

_DECLARED = ("typedef", "alias", "enum", "struct", "variable")


_last: list[tuple[object, File]] = []  # the last two files, with their requests


@dataclass(frozen=True)
class KernelEntry:
    """A kernel in a file."""

    name: str
    span: Span
    parameters: str
    is_template: bool
    choice: str  # the name by which to request it


def kernels(
    source: Source, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()
) -> tuple[KernelEntry, ...]:
    """Return the kernels of a file, in order, including templates."""
    return File.read(source, defines, includes).kernels


def parse(
    source: Source,
    kernel: str | None = None,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    template: Mapping[str, str] | None = None,
) -> Syntax:
    """Return the kernel of that name, or the only one, and what it reaches.

    `template` gives its template arguments: `{"T": "float", "N": "4"}`.
    """
    return File.read(source, defines, includes).parse(kernel, template)


@dataclass(frozen=True)
class File:
    """A file that is preprocessed and split once, and from which several kernels can be parsed."""

    unit: Preprocessed = field(repr=False)
    items: tuple[Item, ...] = field(repr=False)

    @staticmethod
    def read(source: Source, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()) -> File:
        """Read the file; the last two are cached, since a request needs each several times."""
        asked = (dict(defines or {}), tuple(includes))
        for known, file in _last:
            if known == asked and file.unit.source is source:
                return file

        def run() -> File:
            unit = linked_files.together(preprocess(source, defines, includes), defines, includes)
            unit = replace(unit, tokens=cub_reductions.plain(modern_spellings.plain(unit.tokens)))
            return File(unit, linked_files.meant(unit, split(unit.tokens)))

        file = deep(run)
        _last[:] = [*_last[-1:], (asked, file)]
        return file

    @property
    def kernels(self) -> tuple[KernelEntry, ...]:
        """Return the kernels, in order, including templates."""
        return tuple(self._entries())

    def _entries(self) -> Iterator[KernelEntry]:
        tokens = self.unit.tokens
        found = kernel_selection.entries(tokens, self.items)
        for item in found:
            opening = item.at + 1
            if kernel_selection.is_special(tokens, item):
                opening = (angle_end(tokens, opening) or item.at) + 1
            name, first, last = tokens[item.at], tokens[opening], tokens[item.body - 1]
            text = ""
            if first.origin is last.origin:
                text = " ".join(Span(first.origin, first.end, last.start).text.split())
            choice = kernel_selection.spelled(tokens, found, item, self.unit.source.name)
            yield KernelEntry(name.value, name.span, text, item.kind == "template", choice)

    def parse(self, kernel: str | None = None, template: Mapping[str, str] | None = None) -> Syntax:
        """Return the kernel of that name, or the only one, and what it reaches."""
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
        found = kernel_selection.choose(self.unit.tokens, self.items, name or names[0], template, file)
        if found is None:
            help = "it has " + ", ".join(e.choice for e in entries)
            raise Rejected(diagnose(Code.NO_SUCH_KERNEL, start, file=file, name=name or "", help=help))
        return found


def _syntax(file: File, kernel: Item, asked: Mapping[str, str], notes: tuple[Diagnostic, ...]) -> Syntax:
    said = _pragma(file, kernel)
    arguments: tuple[Argument, ...] = ()
    if kernel_selection.is_special(file.unit.tokens, kernel):
        arguments = kernel_selection.arguments_of(file.unit.tokens, file.items, kernel)
    elif kernel.kind == "template" or asked:
        in_source = dict(text.partition("=")[::2] for text in said.get("template", ()))
        given = {**in_source, **asked}
        arguments = kernel_template_args.arguments(file.unit.tokens, file.items, kernel, given)
        special = kernel_selection.specialised(
            file.unit.tokens, file.items, kernel, arguments, file.unit.source.name
        )
        if special is not kernel:
            kernel, said = special, {**said, **_pragma(file, special)}
    reached = reach(file.unit, file.items, kernel, kernel_template_args.names(arguments))
    tokens, nodes, namespaces = file.unit.tokens, reached.nodes, names(file.items)
    parsed = nodes[kernel][0]
    is_template = isinstance(parsed, Template)
    for node in (parsed, *reached.functions):
        function = node.function if isinstance(node, Template) else node
        volatile.settle(function, is_kernel=node is parsed)
    is_open = is_template and not kernel_selection.is_special(tokens, kernel)

    def declared(item: Item) -> tuple[tuple[Any, ...], str]:
        if item.kind == "variable":
            return tuple(node for node in nodes[item] if node.name in reached.names), ""
        own = _definition(nodes[item], reached.ranges, tokens)
        text = own or unqualified(translation_unit.text_of(tokens, item.first, item.end - 1), namespaces)
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
            isinstance(token, Rank) for item in reached.items for token in tokens[item.first : item.end]
        ),
        remarks=notes,
        _tokens=tokens,
        _ranges=reached.ranges,
        _namespaces=namespaces,
    )


def _definition(nodes: Sequence[Any], ranges: dict[int, Range], tokens: Sequence[Lexeme]) -> str:
    """Return the fields of a class with methods, all that the emitted file uses of it; else ""."""
    found = getattr(nodes[0], "type", None) if nodes else None
    if not isinstance(found, Class) or found.name is None:
        return ""
    if not (found.methods or found.types or found.statics or found.friends or found.templates):
        return ""
    spans = [ranges[id(decl)] for decl in found.decls]
    return fields_text(found, [translation_unit.hull(tokens[s.first], tokens[s.last]).text for s in spans])


def _uses(unit: Preprocessed, reached: Reached) -> Iterator[pp_tokens.Use]:
    """Yield the uses of macros in the closure."""
    for item in reached.items:
        for token in unit.tokens[item.first : item.end]:
            yield from token.uses


def _macros(unit: Preprocessed, reached: Reached) -> dict[str, ir.Macro]:
    """Return the object-like macros used in the closure whose text means the same in another file."""
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
    """Whether a name has one definition, without parameters."""
    return len({d.text for d in definitions}) == 1 and definitions[0].parameters is None


def _choices(unit: Preprocessed, reached: Reached) -> tuple[str, ...]:
    """Return the `#if` lines that affected the closure or the macros in it."""
    tokens = unit.tokens
    spans = [translation_unit.hull(tokens[item.first], tokens[item.end - 1]) for item in reached.items]
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
    """Return the author's requests before the kernel, or in the first line of the file."""
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
        if token.type == pp_tokens.PRAGMA and token.value.split()[:1] == ["s2sad"]:
            words.update(pragma.of_pragma(token.value, token.span))
    return words
