"""Preprocess a file: macros, includes and conditions, without losing what the author wrote.

Every included file that is found is read; one that isn't is recorded, and is an error
only if the kernel turns out to need it (undeclared_names.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from ...diagnostics import Code, Rejected, diagnose
from ...python_strings import Texts
from ...source import Source, Span
from . import include_resolution, pp_tokens
from .conditional_inclusion import Choice, Conditionals, follows
from .macro_expansion import Macros
from .pp_tokens import BLANK, Definition, Lexeme
from .predefined_macros import redeclared

_DEEPEST_INCLUDE = 64


@dataclass(frozen=True)
class Missing:
    """An include that was not found."""

    name: str
    span: Span


@dataclass(frozen=True)
class Preprocessed:
    """The tokens of a translation unit, and how they were produced.

    `tokens` has no white space; a pragma is one token. `remarks` are the comments
    that begin with `s2sad:`. `definitions` lists every `#define` of a name, in order, `left`
    those that are in force at the end.
    """

    source: Source
    tokens: tuple[Lexeme, ...]
    choices: tuple[Choice, ...]
    missing: tuple[Missing, ...]
    remarks: tuple[tuple[str, Span], ...]
    definitions: Mapping[str, tuple[Definition, ...]]
    left: Mapping[str, Definition]
    beside: tuple[frozenset[str], ...] = ()  # for each further file, the files that only it reads

    def left_out(self, name: str) -> Span | None:
        """Return the `#if` line that excludes a declaration or a definition of that name."""
        declared = re.compile(rf"\b(?:struct|class|define|enum|using)\s+{name}\b|\b{name}\s*[;({{=\[]")
        for choice in self.choices:
            text = choice.span.source.text
            end = min(
                (c.span.start for c in self.choices if c.taken and follows(c, choice)), default=choice.end
            )
            if not choice.taken and declared.search(text, choice.span.end, end):
                return choice.span
        return None


def preprocess(
    source: Source,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    *,
    facades: bool = True,
) -> Preprocessed:
    """Preprocess a file and what it includes.

    With `facades`, some libraries are replaced by stand-ins and not read from their own headers.
    """
    if isinstance(source, Texts):
        help = "pass a file with one kernel's text"
        what = f"{source.name} has several texts with kernels, and none is selected"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    if "\0" in source.text:
        at = source.text.index("\0")
        raise Rejected(diagnose(Code.NOT_TEXT, Span(source, at, at + 1), file=source.name))
    unit = _Unit(source, defines or {}, includes, facades=facades)
    unit.file(source, Path(source.name).parent)
    macros = unit.macros
    if macros.problems:
        raise Rejected(*macros.problems)
    return Preprocessed(
        source,
        tuple(unit.output),
        tuple(unit.choices),
        tuple(unit.missing),
        tuple(unit.remarks),
        {name: tuple(found) for name, found in macros.definitions.items()},
        {name: found for name, found in macros.current.items() if found.text},
    )


class _Unit:
    """Preprocesses one translation unit."""

    def __init__(
        self, main: Source, defines: Mapping[str, str], folders: Sequence[Path], *, facades: bool
    ) -> None:
        self.macros = Macros(main, defines)
        self.folders = folders
        self.facades = facades
        self.output: list[Lexeme] = []
        self.choices: list[Choice] = []
        self.missing: list[Missing] = []
        self.remarks: list[tuple[str, Span]] = []
        self.once: set[str] = set()  # the files that are read at most once
        self.chunk: list[Lexeme] = []  # the lines since the last directive

    # ---- files ---------------------------------------------------------------

    def file(self, source: Source, folder: Path) -> None:
        """Append the tokens of one file to the output."""
        conditionals = Conditionals(self.macros, self.choices, self._has_include)
        line: list[Lexeme] = []
        tokens = list(pp_tokens.scan(source))
        for name in redeclared(tokens):
            if name in self.macros.current and not self.macros.current[name].text:
                self._flush()
                self.macros.forget(name)
        for token in tokens:
            line.append(token)
            if token.type == pp_tokens.NEWLINE:
                self._line(line, conditionals, folder)
                line = []
        if line:
            self._line(line, conditionals, folder)
        self._flush()
        conditionals.end()

    def _line(self, line: list[Lexeme], conditionals: Conditionals, folder: Path) -> None:
        live = conditionals.live
        for token in line:
            if token.type in (pp_tokens.LINE_COMMENT, pp_tokens.COMMENT):
                if live:
                    self._remark(token)
                token.type, token.value = pp_tokens.SPACE, " "
            elif token.type == pp_tokens.OPEN_COMMENT:
                place = Span(token.origin, token.start, token.start + 2)
                self.macros.problem(Code.UNTERMINATED_COMMENT, place)
                raise Rejected(*self.macros.problems)
        head = next((i for i, token in enumerate(line) if token.type not in BLANK), None)
        if head is not None and line[head].value == "#":
            self._directive(line[head:], conditionals, folder)
            conditionals.began = True
            return
        if head is not None:
            conditionals.text()
        if live:
            for quote in [token for token in line if token.type == pp_tokens.OPEN_QUOTE][:1]:
                kind = "string" if quote.value == '"' else "character"
                self.macros.problem(Code.UNTERMINATED_STRING, quote.span, kind=kind, quote=quote.value)
            self.chunk.extend(line)

    def _remark(self, token: Lexeme) -> None:
        text = (token.value[2:-2] if token.value.startswith("/*") else token.value[2:]).strip()
        if text.startswith("s2sad:"):
            self.remarks.append((text.removeprefix("s2sad:").strip(), token.span))

    def _flush(self) -> None:
        """Expand what has been collected; not earlier, since a use may span lines."""
        if self.chunk:
            self.output.extend(t for t in self.macros.expand_macros(self.chunk) if t.type not in BLANK)
            self.chunk = []

    # ---- directives ----------------------------------------------------------

    def _directive(self, line: list[Lexeme], conditionals: Conditionals, folder: Path) -> None:
        words = [t for t in line[1:] if t.type not in BLANK]
        if not words:
            return
        name, args = words[0].value, self.macros.tokenstrip(line[line.index(words[0]) + 1 :])
        here = self.macros.here = Span(line[0].origin, line[0].start, words[-1].end)
        match name:
            case "if" | "ifdef" | "ifndef":
                conditionals.open(name, args)
            case "elif" | "elifdef" | "elifndef" | "else" | "endif":
                conditionals.branch(name, args)
            case _ if not conditionals.live:
                pass
            case "define" | "undef" | "include" | "include_next" | "import":
                self._flush()
                self._changing(name, args, folder)
            case "pragma" if args and args[0].value == "once":
                self.once.add(here.source.name)
            case "pragma":
                text = "".join(t.value for t in args)
                self.chunk.append(Lexeme(pp_tokens.PRAGMA, text, here.source, here.start, here.end))
            case "error":
                text = Span(here.source, args[0].start, args[-1].end).text if args else ""
                self.macros.problem(Code.ERROR_DIRECTIVE, here, text=text)
            case "warning" | "line" | "ident" | "sccs":
                pass
            case _ if words[0].type != pp_tokens.NUMBER:  # `# 12 "file"`, another preprocessor's line mark
                self.macros.problem(Code.UNKNOWN_DIRECTIVE, here, directive=name)

    def _changing(self, name: str, args: list[Lexeme], folder: Path) -> None:
        """Handle a directive before which everything has to be expanded."""
        if name == "define":
            self.macros.define_tokens(args)
        elif name != "undef":
            self._include(args, folder)
        elif args and args[0].type == pp_tokens.ID:
            self.macros.forget(args[0].value)
        else:
            self.macros.bad_directive("undef", "the name of a macro")

    def _include(self, args: list[Lexeme], folder: Path) -> None:
        macros = self.macros
        if args and args[0].type == pp_tokens.ID:
            args = macros.tokenstrip(macros.expand_macros([copy(t) for t in args]))
        spelled = "".join(t.value for t in args)
        match = re.match(r'"([^"]+)"|<([^>]+)>', spelled)
        if match is None:
            macros.bad_directive("include", '"file.h" or <file.h>')
            return
        name = match[1] or match[2]
        path = include_resolution.found(name, [*[folder][: match[1] is not None], *self.folders])
        if name in ("assert.h", "cassert") and "NDEBUG" in macros.macros:
            macros.define_text("assert(...)", "")
        if self.facades and (parts := include_resolution.stand_ins(name)):
            for part in parts:
                self._stand_in(part)
        elif path is None:
            if not include_resolution.is_system(spelled):
                self.missing.append(Missing(name, macros.here))
        elif str(path) not in self.once:
            if len(macros.nesting) >= _DEEPEST_INCLUDE:
                macros.problem(Code.INCLUDE_CYCLE, macros.nesting[0], file=name)
                raise Rejected(*macros.problems)
            macros.nesting.append(macros.here)
            self.file(include_resolution.read(path), path.parent)
            macros.nesting.pop()

    def _stand_in(self, name: str) -> None:
        """Read a stand-in for a library's headers, once."""
        if name not in self.once:
            self.once.add(name)
            self.file(include_resolution.stand_in(name), include_resolution.OWN)

    def _has_include(self, spelled: str) -> bool:
        folders = [Path(self.macros.here.source.name).parent, *self.folders]
        return spelled.startswith("<") or include_resolution.found(spelled.strip('"'), folders) is not None
