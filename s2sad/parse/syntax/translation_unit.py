"""The parsed kernel with its closure, and access to the author's text.

Nothing has a type or a meaning yet: lowering finds these. What this guarantees is that
every node can be traced to the tokens it was parsed from, and those to the characters
that the author wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Diagnostic
from ...source import Span
from ..source import pp_tokens
from ..source.kernel_template_args import Argument
from ..source.namespaces import unqualified
from ..source.pp_tokens import Lexeme
from .positions import Range
from .qualified_types import ClassTemplate, VariableTemplate


@dataclass(frozen=True)
class Syntax:
    """One kernel and its closure, parsed. Nodes are pycparser's.

    `functions` are the `__device__` functions and function templates that it reaches, callees first;
    `declarations` the file's constants, typedefs, structs and enums in order, with the source text of a
    type and "" for a constant; `classes` the class templates, `variables` the variable templates.
    `macros` are object-like macros that emitted text may name.
    """

    kernel: Any
    template: Any  # the kernel's, or None
    arguments: tuple[Argument, ...]  # the kernel's template arguments
    functions: tuple[Any, ...]
    declarations: tuple[tuple[tuple[Any, ...], str], ...]
    classes: tuple[ClassTemplate, ...]
    variables: tuple[VariableTemplate, ...]
    macros: dict[str, ir.Macro]
    pragma: dict[str, tuple[str, ...]]
    choices: tuple[str, ...]
    one_dimensional: bool  # whether a thread's rank was taken to be its `threadIdx.x`
    remarks: tuple[Diagnostic, ...]
    _tokens: tuple[Lexeme, ...] = field(repr=False)
    _ranges: dict[int, Range] = field(repr=False)
    _namespaces: frozenset[str] = field(repr=False)

    @property
    def constants(self) -> tuple[Any, ...]:
        """Return the nodes of the constants."""
        return tuple(node for nodes, text in self.declarations for node in nodes if not text)

    @property
    def types(self) -> tuple[Any, ...]:
        """Return the nodes of the types."""
        return tuple(node for nodes, text in self.declarations for node in nodes if text)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the source texts of the types."""
        return tuple(text for _, text in self.declarations if text)

    def range(self, node: Any) -> tuple[int, int]:
        """Return the indices of a node's first and last token, without parentheses around it."""
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
        """Give a node made from another one the position and the spelling of that one."""
        noted = self._ranges.get(id(node))
        if noted is not None:
            self._ranges[id(made)] = noted.of(made)

    def span(self, node: Any) -> Span:
        """Return the span of a node, first to last token; for a macro's text, that of its use."""
        first, last = self.range(node)
        return hull(self._tokens[first], self._tokens[last])

    def text(self, node: Any) -> str:
        """Return the source text of a node for an emitted file, without the file's namespaces."""
        first, last = self.range(node)
        return unqualified(text_of(self._tokens, first, last), self._namespaces)

    def has_defaults_before(self, name: str) -> bool:
        """Whether a declaration of a function without its body has default arguments."""
        tokens = self._tokens
        for i in range(len(tokens) - 1):
            if tokens[i].value != name or tokens[i + 1].value != "(":
                continue
            k, depth, given = i + 1, 0, False
            while k < len(tokens):
                depth += {"(": 1, ")": -1}.get(tokens[k].value, 0)
                given = given or tokens[k].value == "="
                k += 1
                if depth == 0:
                    break
            if given and k < len(tokens) and tokens[k].value == ";":
                return True
        return False

    def head(self, node: Any) -> Span:
        """Return the span of what precedes the body of an `if`, a loop or a `switch`: `for (…; …; …)`."""
        first, last = self.range(node)
        depth = 0
        for i in range(first, last + 1):
            depth += {"(": 1, ")": -1}.get(self._tokens[i].value, 0)
            if depth == 0 and self._tokens[i].value == ")":
                return hull(self._tokens[first], self._tokens[i])
        return self.span(node)

    def spelling(self, node: Any) -> tuple[str, str | None] | None:
        """Return the spelling of a value that is one name or literal.

        This is the use of an object-like macro if the node is all of it, `("STEPS", "STEPS")`,
        or the text of a literal, `("0.25f", None)`; else None.
        """
        first, last, outer_first, outer_last = self._range(node)
        for a, b in ((outer_first, outer_last), (first, last)):
            for use in self._tokens[a].uses:
                if use.name in self.macros and self._is_all_of(use, a, b):
                    return use.name, use.name
        if isinstance(node, c_ast.Constant) and node.type != "string":
            return node.value, None
        return None

    def _is_all_of(self, use: pp_tokens.Use, first: int, last: int) -> bool:
        """Whether these tokens are exactly the expansion of a macro's use."""
        before = self._tokens[first - 1].uses if first > 0 else ()
        after = self._tokens[last + 1].uses if last + 1 < len(self._tokens) else ()
        return use in self._tokens[last].uses and use not in before and use not in after


def text_of(tokens: Sequence[Lexeme], first: int, last: int) -> str:
    """Return the text from one token to another; if directives are in it, the tokens instead."""
    text = hull(tokens[first], tokens[last]).text
    if re.search(r"^[ \t]*#", text, re.MULTILINE):
        return " ".join(token.value for token in tokens[first : last + 1] if token.type != pp_tokens.PRAGMA)
    return text


def hull(first: Lexeme, last: Lexeme) -> Span:
    """Return the span from one token to another; only the first's if they are in different files."""
    if first.origin is not last.origin:
        return first.span
    return Span(first.origin, min(first.start, last.start), max(first.end, last.end))
