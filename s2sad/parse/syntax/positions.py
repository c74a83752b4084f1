"""Extend pycparser's parser by source ranges: where each node begins and ends, and where errors are.

pycparser's nodes have one position each, so every node's first and last token are recorded
while parsing (`ranges`). Its messages are replaced. The private parts of pycparser that
this package overrides are those of version 3.12, which is pinned.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from pycparser import c_ast
from pycparser.c_parser import Coord, CParser

from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...source import Span
from ..source.keywords import STD
from ..source.pp_tokens import Lexeme
from . import ast_utils
from .lexer import Fed, NoLexer, Stream, classify

DEEPEST = 4000
"""How deep parentheses and statements may nest."""

_PREFIX = frozenset(
    {"PLUSPLUS", "MINUSMINUS", "AND", "TIMES", "PLUS", "MINUS", "NOT", "LNOT", "SIZEOF", "_ALIGNOF"}
)
_CHANGES = frozenset({"++", "--", "p++", "p--"})
_NAMES = {
    "SEMI": "';'", "LPAREN": "'('", "RPAREN": "')'", "LBRACE": "'{'", "RBRACE": "'}'",
    "LBRACKET": "'['", "RBRACKET": "']'", "COMMA": "','", "COLON": "':'", "EQUALS": "'='",
    "ID": "a name", "TYPEID": "a type", "WHILE": "'while'", "LT": "'<'", "GT": "'>'",
}  # fmt: skip

# The meanings of pycparser's messages, by how they begin.
_EXPECTED = {
    "Invalid expression": "expected an expression",
    "Missing type": "expected a type",
    "Invalid declaration": "expected a declaration",
    "Invalid declarator": "expected a name",
    "Invalid struct reference": "expected the name of a field",
    "Invalid function definition": "expected '{' or ';'",
    "Invalid specifier list": "expected a type",
    "Invalid multiple types": "two types in one declaration",
    "Expected identifier": "expected a name",
    "Non-typedef": "a type is declared again as a variable",
    "Typedef": "a variable is declared again as a type",
    "Invalid storage class": "a storage class isn't allowed here",
    "Invalid typedef": "a typedef with a body",
}

LAUNCHED = "%dynamic_smem_size"
"""The register that holds the size of dynamic shared memory in bytes; no name in C."""

HERE = {"label": "here", "help": ""}

Node = TypeVar("Node")


class Range:
    """The tokens of a node: `first` to `last`, and with the parentheses around it."""

    __slots__ = ("first", "last", "node", "outer_first", "outer_last")

    def __init__(self, node: object, first: int, last: int) -> None:
        self.node = node  # held, so that its id isn't reused
        self.first = self.outer_first = first
        self.last = self.outer_last = last

    def of(self, node: object) -> Range:
        """Return the same range for another node."""
        made = Range(node, self.first, self.last)
        made.outer_first, made.outer_last = self.outer_first, self.outer_last
        return made


class Skip(Exception):
    """Raised where the rest of a statement can't be parsed; the reason has been recorded."""


class Place(Coord):  # type: ignore[misc]  # pycparser is untyped to us
    """A coordinate with the index of its token, and whether that is `a::f` rather than `f`."""

    __slots__ = ("index", "qualified")

    def __init__(self, span: Span, index: int, qualified: bool = False) -> None:
        super().__init__(span.source.name, span.line, span.column)
        self.index = index
        self.qualified = qualified


class Noting(CParser):  # type: ignore[misc]  # pycparser is untyped to us
    """Parses top-level items from one list of preprocessed tokens."""

    def __init__(
        self, tokens: Sequence[Lexeme], types: Iterable[str], namespaces: Collection[str] = STD
    ) -> None:
        super().__init__(lexer=NoLexer, dialect="c23")
        self._lexemes = tokens
        self._namespaces = namespaces
        self._types = {**dict.fromkeys(types, True), "auto": True}
        self.ranges: dict[int, Range] = {}
        self.problems: list[Diagnostic] = []
        # declarations in the conditions of loops, by the id of the node that replaces them
        self._conditions: dict[int, tuple[c_ast.Decl, Span]] = {}
        self._depth = 0
        self._is_function = False  # whether the item is a function definition
        self._fed: list[Fed] = []

    # ---- entry ---------------------------------------------------------------

    def item(self, first: int, end: int, is_function: bool) -> list[Any]:
        """Parse one top-level item; its problems go to `problems`."""
        self._fed = classify(self._lexemes, first, end, self._namespaces)
        self._scope_stack = [dict(self._types)]
        self._typedef_checked_token: Fed | None = None
        self._tags: set[str] = set()  # the names of structs in the item
        self._depth = 0
        self._is_function = is_function
        self._unused = (f"unused{k}" for k in itertools.count(1))
        self._tokens = Stream(self._fed)
        try:
            nodes = self._parse_external_declaration() if is_function else self._parse_declaration()
            if self._peek() is not None:
                self._expected("the end of the declaration")
        except Skip:
            return []
        return list(nodes)

    # ---- positions -----------------------------------------------------------

    def _at(self, ahead: int = 0) -> Span:
        """Return the span of the next token, or of one near it."""
        i = min(max(self._tokens._index + ahead, 0), len(self._fed) - 1)
        span: Span = self._lexemes[self._fed[i].first].span
        return span

    def _said(self, ahead: int = 0) -> str:
        """Return the next token, or one near it, as text, also within a macro's expansion."""
        i = min(max(self._tokens._index + ahead, 0), len(self._fed) - 1)
        return str(self._lexemes[self._fed[i].first].value)

    def _tok_coord(self, tok: Fed) -> Coord:
        return Place(self._lexemes[tok.first].span, tok.first, tok.last > tok.first)

    def _first(self) -> int:
        """Return the index of the next token among the lexemes."""
        index: int = self._fed[min(self._tokens._index, len(self._fed) - 1)].first
        return index

    def _noted(self, node: Node, first: int) -> Node:
        """Record that the node began at `first` and ends before the next token; return it."""
        if id(node) not in self.ranges:
            self.ranges[id(node)] = Range(node, first, self._fed[self._tokens._index - 1].last)
        return node

    def _peek_type(self, k: int = 1) -> str | None:
        tokens, at = self._tokens._buffer, self._tokens._index + k - 1  # as `peek`, for every alternative
        token: Fed | None = tokens[at] if at < len(tokens) else None
        if token is None:
            return None
        if token is self._typedef_checked_token:
            kind: str = token.type
            return kind
        if token.type in ("ID", "TYPEID") or token.value == "decltype":
            self._classify_identifier(token)
        return str(token.type)

    def _put(self, begin: int, end: int, *tokens: Fed) -> None:
        """Replace tokens in the stream by others."""
        self._fed[begin:end] = tokens
        self._tokens._buffer[begin:end] = tokens

    # ---- problems ------------------------------------------------------------

    def _refuse(self, code: Code, span: Span, **values: str) -> None:
        self.problems.append(diagnose(code, span, **values))

    def _skip(self, code: Code, span: Span, **values: str) -> NoReturn:
        self._refuse(code, span, **values)
        raise Skip

    def _expected(self, what: str, help: str = "") -> NoReturn:
        """Report a syntax error at the next token."""
        token = self._tokens.peek()
        if token is None:
            self._wrong(f"{what}, and the text ends here", self._at(), help)
        shown = "the pragma" if token.type.startswith("PPPRAGMA") else f"'{token.value}'"
        self._wrong(f"{what} before {shown}", self._at(), help)

    def _parse_error(self, msg: str, coord: Any) -> NoReturn:
        what = next((text for start, text in _EXPECTED.items() if msg.startswith(start)), None)
        if isinstance(coord, Place) and what is not None:
            self._wrong(what, self._lexemes[coord.index].span)
        self._expected(what or "expected something else")

    def _wrong(self, what: str, span: Span, help: str = "") -> NoReturn:
        """Report a syntax error, which ends the parse; after a refusal it counts as its consequence."""
        if not self.problems:
            values = {"what": what, "label": "here", "help": help}
            self.problems.append(Diagnostic(Code.SYNTAX_ERROR, span, values, self._macro_here()))
        raise Rejected(*self.problems)

    def _macro_here(self) -> tuple[tuple[Span, str], ...]:
        """Return where the macro is defined that the next token or the one before comes from."""
        i = self._first()
        for token in (self._lexemes[i], self._lexemes[max(i - 1, 0)]):
            for use in token.uses[:1]:
                if use.definition.span is not None:
                    return ((use.definition.span, f"the macro {use.name} is defined here"),)
        return ()

    def _expect(self, token_type: str) -> Fed:
        token = self._peek()
        if token is None or token.type != token_type:
            self._expected(f"expected {_NAMES.get(token_type, token_type.lower())}")
        return self._advance()  # type: ignore[no-any-return]  # pycparser is untyped to us

    def _not_taken(self, what: str, help: str) -> NoReturn:
        """Report a syntax error that ends this statement only."""
        self._skip(Code.SYNTAX_ERROR, self._at(), what=what, label="not supported", help=help)

    def _deeper(self) -> int:
        """Count one more level (parentheses and statements are two each); return the depth before."""
        depth = self._depth
        self._depth += 1
        if self._depth > 2 * DEEPEST + 20:  # with some levels for the enclosing body
            self._refuse(Code.TOO_DEEP, self._at(), limit=str(DEEPEST))
            raise Rejected(self.problems[-1])
        return depth

    # ---- expressions, with their ranges ----------------------------------------

    def _parse_expression(self) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_expression(), first)

    def _parse_assignment_expression(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        node = self._noted(self._of_last(super()._parse_assignment_expression()), first)
        self._depth = depth
        return node

    def _of_last(self, node: c_ast.Node) -> c_ast.Node:
        """Regroup `c ? a : b = v`, in C++ `c ? a : (b = v)`, where C's grammar has `(c ? a : b) = v`."""
        if not isinstance(node, c_ast.Assignment) or not isinstance(node.lvalue, c_ast.TernaryOp):
            return node
        chosen, noted = node.lvalue, self.ranges[id(node.lvalue)]
        if noted.outer_first != noted.first:
            return node
        last = self.ranges[id(chosen.iffalse)]
        node.lvalue, node.coord = chosen.iffalse, chosen.iffalse.coord
        chosen.iffalse = self._of_last(node)
        self._noted(node, last.outer_first)
        self.ranges[id(chosen)] = Range(chosen, noted.first, self.ranges[id(node)].last)
        return chosen

    def _parse_conditional_expression(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        node = self._parse_binary_expression()
        if self._accept("CONDOP"):
            iftrue = self._itself(node) if self._peek_type() == "COLON" else self._parse_expression()
            self._expect("COLON")
            node = c_ast.TernaryOp(node, iftrue, self._parse_conditional_expression(), node.coord)
        node = self._noted(node, first)
        self._depth = depth
        return node

    def _itself(self, cond: c_ast.Node) -> c_ast.Node:
        """Return the value in the middle of `c ?: b`: that of `c`, which is evaluated once."""
        waiting = [cond]
        while waiting:
            part = waiting.pop()
            if isinstance(part, c_ast.FuncCall | c_ast.Assignment) or getattr(part, "op", "") in _CHANGES:
                what = "`?:` without a middle operand, with side effects in the condition"
                self._skip(Code.NOT_SUPPORTED, self._at(), what=what, help="assign it to a variable first")
            waiting += [child for _, child in part.children()]
        return self._again(cond)

    def _again(self, node: c_ast.Node) -> c_ast.Node:
        """Copy a value to new nodes, with the same ranges."""
        made = ast_utils.rebuilt(copy.copy(node), self._again)
        if id(node) in self.ranges:
            self.ranges[id(made)] = self.ranges[id(node)].of(made)
        return made

    def _parse_cast_expression(self) -> c_ast.Node:
        first, depth = self._first(), self._depth
        node = self._noted(self._through_pointer(super()._parse_cast_expression(), first), first)
        self._depth = depth
        return node

    def _through_pointer(self, node: c_ast.Node, first: int) -> c_ast.Node:
        """Write `(float4 &)x` as `*(float4 *)&x`, which is what it means; one to const may make a copy."""
        to = node.to_type.type if isinstance(node, c_ast.Cast) else None
        if not isinstance(to, c_ast.PtrDecl) or to.quals != ["&"] or "const" in (_quals(to.type) or ()):
            return node
        type = c_ast.Typename(None, [], None, c_ast.PtrDecl([], to.type, node.coord), node.coord)
        address = self._noted(c_ast.UnaryOp("&", node.expr, node.coord), first)
        pointer = self._noted(c_ast.Cast(self._noted(type, first), address, node.coord), first)
        return c_ast.UnaryOp("*", pointer, node.coord)

    def _parse_unary_expression(self) -> c_ast.Node:
        if self._peek_type() not in _PREFIX:
            return self._parse_postfix_expression()
        first, depth = self._first(), self._deeper()
        node = self._noted(super()._parse_unary_expression(), first)
        self._depth = depth
        return node

    def _parse_argument_expression_list(self) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_argument_expression_list(), first)

    def _parse_type_name(self) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_type_name(), first)

    def _parse_initializer(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        node = self._noted(super()._parse_initializer(), first)
        self._depth = depth
        return node


def _quals(node: c_ast.Node) -> list[str] | None:
    return getattr(node, "quals", None)
