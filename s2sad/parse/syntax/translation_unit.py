"""From a file to one kernel and its closure, parsed, with the author's text at hand.

Nothing has a type or a meaning yet: that is lowering's part. What this guarantees is
that every node can be traced to the tokens it was parsed from, and those to the
characters that the author wrote.
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
        return hull(self._tokens[first], self._tokens[last])

    def text(self, node: Any) -> str:
        """What the author wrote there, in an emitted file's terms: without the file's namespaces."""
        first, last = self.range(node)
        return unqualified(text_of(self._tokens, first, last), self._namespaces)

    def has_defaults_before(self, name: str) -> bool:
        """Whether a declaration of a function without its body gives values to parameters."""
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
        """Of an `if`, a loop or a `switch`, what comes before its body: `for (…; …; …)`."""
        first, last = self.range(node)
        depth = 0
        for i in range(first, last + 1):
            depth += {"(": 1, ")": -1}.get(self._tokens[i].value, 0)
            if depth == 0 and self._tokens[i].value == ")":
                return hull(self._tokens[first], self._tokens[i])
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

    def _is_all_of(self, use: pp_tokens.Use, first: int, last: int) -> bool:
        """Whether these tokens are what the use of the macro expanded to, and no other."""
        before = self._tokens[first - 1].uses if first > 0 else ()
        after = self._tokens[last + 1].uses if last + 1 < len(self._tokens) else ()
        return use in self._tokens[last].uses and use not in before and use not in after


def text_of(tokens: Sequence[Lexeme], first: int, last: int) -> str:
    """What the author wrote from one token to another; where directives stand between them, the tokens."""
    text = hull(tokens[first], tokens[last]).text
    if re.search(r"^[ \t]*#", text, re.MULTILINE):
        return " ".join(token.value for token in tokens[first : last + 1] if token.type != pp_tokens.PRAGMA)
    return text


def hull(first: Lexeme, last: Lexeme) -> Span:
    """The characters from one token to another, if they are of one file."""
    if first.origin is not last.origin:
        return first.span
    return Span(first.origin, min(first.start, last.start), max(first.end, last.end))
