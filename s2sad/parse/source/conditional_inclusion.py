"""Evaluate conditional inclusion: which lines of a file are active, and the `#if` lines that decide it."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...diagnostics import Code
from ...source import Source, Span
from . import pp_tokens
from .keywords import ALTERNATIVES
from .macro_expansion import Macros, word
from .pp_tokens import Lexeme, last


@dataclass(frozen=True)
class Choice:
    """The decision of one `#if` line, and the lines that it controls."""

    span: Span  # the directive
    taken: bool
    end: int  # offset of its `#endif`
    guard: bool = False  # an include guard

    def __str__(self) -> str:
        words = " ".join(re.sub(r"\\\s*\n|/\*.*?\*/|//.*", " ", self.span.text).split())
        return f"line {self.span.line}: {words} {'taken' if self.taken else 'not taken'}"

    def within(self, main: Source) -> str:
        """Return the same, with the name of the file unless it is the main one."""
        return str(self) if self.span.source is main else f"{Path(self.span.source.name).name} {self}"


@dataclass
class _Group:
    """One open `#if … #endif`."""

    outer: bool  # whether the lines around it are active
    live: bool
    span: Span
    done: bool  # whether some part of it was taken
    otherwise: bool = False  # whether `#else` was seen
    choices: list[int] = field(default_factory=list)  # what it decided, by index


class Conditionals:
    """The `#if … #endif` groups of one file, as far as it has been read."""

    def __init__(self, macros: Macros, choices: list[Choice], has_include: Callable[[str], bool]) -> None:
        self.macros = macros
        self.choices = choices  # of all files
        self.has_include = has_include  # whether there is a file of that name, quotes and all
        self.groups: list[_Group] = []  # those that are open
        self.began = False  # whether anything but blanks and comments was read
        self.guard: _Group | None = None  # the `#ifndef` that encloses everything so far

    @property
    def live(self) -> bool:
        """Whether the current line is active."""
        return self.groups[-1].live if self.groups else True

    def text(self) -> None:
        """Handle a line that is no directive."""
        self.began = True
        self._unguarded()

    def end(self) -> None:
        """Handle the end of the file."""
        for group in self.groups:
            self.macros.problem(Code.UNTERMINATED_IF, group.span, directive=word(group.span))
        for i in self.guard.choices if self.guard is not None else ():
            self.choices[i] = replace(self.choices[i], guard=True)

    def _unguarded(self) -> None:
        """Drop a possible include guard, since something follows its `#endif`."""
        if not self.groups:
            self.guard = None

    def open(self, name: str, args: list[Lexeme]) -> None:
        """Handle `#if`, `#ifdef`, `#ifndef`."""
        live = self.live
        taken = live and self._condition(name, args)
        group = _Group(outer=live, live=taken, span=self.macros.here, done=taken)
        self._unguarded()
        if name == "ifndef" and not self.began:
            self.guard = group
        self.groups.append(group)
        if live:
            self._choose(group, taken)

    def branch(self, name: str, args: list[Lexeme]) -> None:
        """Handle `#elif` and its forms, `#else`, `#endif`."""
        if not self.groups or (self.groups[-1].otherwise and name != "endif"):
            after = "after the #else" if self.groups else "without an #if"
            self.macros.problem(Code.STRAY_DIRECTIVE, self.macros.here, directive=name, after=after)
            return
        group = self.groups[-1]
        if name == "endif":
            self.groups.pop()
            for i in group.choices:
                self.choices[i] = replace(self.choices[i], end=self.macros.here.start)
        elif name == "else":
            group.otherwise, group.live = True, group.outer and not group.done
        elif group.outer and not group.done:
            group.live = group.done = self._condition(name.removeprefix("el"), args)
            self._choose(group, group.live)
        else:
            group.live = False

    def _choose(self, group: _Group, taken: bool) -> None:
        here = self.macros.here
        group.choices.append(len(self.choices))
        self.choices.append(Choice(here, taken, len(here.source.text)))

    def _condition(self, name: str, args: list[Lexeme]) -> bool:
        if name in ("ifdef", "ifndef"):
            if not args or args[0].type != pp_tokens.ID:
                self.macros.bad_directive(name, "the name of a macro")
                return False
            known = args[0].value in self.macros.macros or args[0].value == "__has_include"
            return known == (name == "ifdef")
        if not args:
            self.macros.bad_directive(name, "a condition")
            return False
        value, _ = self.macros.evalexpr(self._queries([copy(t) for t in args]))
        return bool(value != 0)

    def _queries(self, tokens: list[Lexeme]) -> list[Lexeme]:
        """Evaluate `__has_include` and remove digit separators, neither of which pcpp knows."""
        result: list[Lexeme] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if token.type == pp_tokens.NUMBER:
                token.value = token.value.replace("'", "")
            elif token.value in ALTERNATIVES:
                token.value = ALTERNATIVES[token.value]
                token.type = pp_tokens.OPERATORS[token.value]
            if token.value == "__has_include" and not (result and last(result) in ("defined", "(")):
                close = next((j for j in range(i, len(tokens)) if tokens[j].value == ")"), None)
                if close is None:
                    self.macros.bad_directive("if", "`)` after __has_include(")
                    return []
                spelled = "".join(t.value for t in tokens[i + 1 : close]).strip().removeprefix("(").strip()
                token.type, token.value = pp_tokens.NUMBER, str(int(self.has_include(spelled)))
                i = close
            elif token.value == "__has_include":
                token.value = "__CUDACC__"  # `defined(__has_include)`: yes
            result.append(token)
            i += 1
        return result


def follows(one: Choice, other: Choice) -> bool:
    """Whether a directive is a later part of the same `#if … #endif`."""
    return one.end == other.end and one.span.source is other.span.source and one.span.start > other.span.start
