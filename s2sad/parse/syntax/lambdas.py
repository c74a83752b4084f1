"""Parse lambdas: `[&](float a) -> float { return a * scale; }`.

Their meaning is documented in lambda_lifting.py, which makes functions of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from ...diagnostics import Code
from .statement_expressions import Blocks


@dataclass(frozen=True)
class Captures:
    """The captures in the brackets: `[=, &a]` is `"="` and `{"a": True}`."""

    default: str  # "", "=" or "&"
    named: dict[str, bool]  # whether by reference

    def by_reference(self, name: str) -> bool | None:
        """Return whether a name is captured by reference; None if it isn't captured."""
        return self.named.get(name, {"=": False, "&": True}.get(self.default))


class Lambda(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """A lambda, as a function without a name. If its result type isn't written, it is `auto`."""

    __slots__ = ("__weakref__", "captures", "coord", "function")
    attr_names = ()

    def __init__(self, captures: Captures, function: c_ast.FuncDef, coord: Any) -> None:
        self.captures = captures
        self.function = function
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("function", self.function),)


class Lambdas(Blocks):
    """The parser method for lambdas."""

    in_class = False  # inside the definition of a class, where there is `this`

    def _parse_lambda(self) -> c_ast.Node:
        first = self._first()
        at = self._tok_coord(self._advance())
        if self.in_class:
            self._no_lambda("it is in a class, where it has `this`")
        captures = self._parse_captures()
        self._scope_stack.append({})
        args = None
        if self._accept("LPAREN"):
            args = None if self._peek_type() == "RPAREN" else self._parse_parameter_type_list()
            self._expect("RPAREN")
        for param in args.params if args is not None else ():
            if getattr(param, "name", None):
                self._scope_stack[-1][param.name] = False
        result: Any = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["auto"], at), at)
        while self._peek_type() not in (None, "LBRACE", "ARROW"):
            if self._said() == "mutable":
                self._no_lambda("it is `mutable`")
            if self._said() not in ("__device__", "__host__", "constexpr", "noexcept", "__forceinline__"):
                self._expected("expected '{'")
            self._advance()
        if self._accept("ARROW"):
            result = self._parse_type_name().type
        body = self._parse_compound_statement()
        self._scope_stack.pop()
        decl = c_ast.Decl("", [], [], [], ["__device__"], c_ast.FuncDecl(args, result, at), None, None, at)
        function = self._noted(c_ast.FuncDef(decl, None, body, at), first)
        return self._noted(Lambda(captures, function, at), first)

    def _parse_captures(self) -> Captures:
        """Parse the captures up to the closing bracket."""
        default, named = "", {}
        while self._peek_type() != "RBRACKET":
            reference = self._peek_type() == "AND"
            if reference or self._peek_type() == "EQUALS":
                word = self._advance().value
                if self._peek_type() in ("COMMA", "RBRACKET"):
                    default = word
            if self._peek_type() == "ID":
                named[self._advance().value] = reference
            if self._peek_type() == "COMMA":
                self._advance()
            elif self._peek_type() != "RBRACKET":
                self._no_lambda(f"the capture `{self._at().text}` is not supported")
        self._expect("RBRACKET")
        return Captures(default, named)

    def _no_lambda(self, why: str) -> None:
        self._skip(Code.NO_LAMBDAS, self._at(), why=why)
