"""Parse structured bindings: `auto [a, b] = e;`, as a declaration of the whole and one of each part."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from ...diagnostics import Code
from .ast_utils import Unpacked, Whole
from .declarations import NOT_TYPES, Declarations
from .positions import Range


class StructuredBindings(Declarations):
    """Parser methods for structured bindings."""

    def _parse_decl_body(self) -> list[Any]:
        bracket = self._binds()
        return super()._parse_decl_body() if bracket is None else self._binding(bracket)

    def _binds(self) -> int | None:
        """Return how far ahead the `[` of `const auto &[a, b] = e;` is; None if none follows."""
        k = self._after_words()
        token = self._tokens.peek(k)
        if token is None or token.value != "auto":
            return None
        k += 1
        while self._peek_type(k) in NOT_TYPES:
            k += 1
        k += self._peek_type(k) in ("AND", "LAND")
        return k if self._peek_type(k) == "LBRACKET" and self._peek_type(k + 1) in ("ID", "TYPEID") else None

    def _binding(self, bracket: int) -> list[Any]:
        """Parse such a declaration: the whole, under an unused name, and its parts."""
        first, coord = self._first(), self._tok_coord(self._peek())
        kinds = [self._peek_type(k) for k in range(1, bracket)]
        said = [self._advance().value for _ in kinds]
        const = ["const"] * (not {"const", "constexpr"}.isdisjoint(said))
        reference = "&" in said or "&&" in said
        if not {"static", "extern", "__shared__", "thread_local", "volatile"}.isdisjoint(said):
            self._skip(Code.NOT_SUPPORTED, self._lexemes[first].span, what=f"a binding with `{said[0]}`",
                       help="declare a variable for each name")  # fmt: skip
        self._expect("LBRACKET")
        found: list[tuple[str, int, Any]] = []
        while True:
            if self._peek_type() not in ("ID", "TYPEID"):
                self._expected("expected a name")
            at, token = self._first(), self._advance()
            found.append((token.value, at, self._tok_coord(token)))
            if not self._accept("COMMA"):
                break
        self._expect("RBRACKET")
        names_ = [name for name, _, _ in found]
        title = "_".join(names_) if len(names_) > 1 else f"of_{names_[0]}"
        written = {lexeme.value for lexeme in self._lexemes}
        while title in written:
            title += "_"
        whole = Whole(
            title, const, [], [], [], self._of_auto(title, const, reference, coord), None, None, coord
        )
        whole.names = tuple(names_)
        if self._accept("EQUALS"):
            whole.init = self._parse_initializer()
        elif self._peek_type() in ("LPAREN", "LBRACE"):
            closing = "RPAREN" if self._advance().type == "LPAREN" else "RBRACE"
            whole.init = self._parse_assignment_expression()
            self._expect(closing)
        if "&&" in said and not isinstance(whole.init, c_ast.ID | c_ast.ArrayRef | c_ast.StructRef | None):
            whole.type = self._of_auto(title, const, False, coord)  # a copy, if it is a value
            whole.forwarded = True
        nodes: list[Any] = [self._noted(whole, first)]
        for k, (name, at, place) in enumerate(found):
            index = c_ast.Constant("int", str(k), place)
            init = c_ast.ArrayRef(c_ast.ID(title, place), index, place)
            part = Unpacked(
                name, const, [], [], [], self._of_auto(name, const, True, place), init, None, place
            )
            part.at, part.count = k, len(found)
            for made in (part, part.type, init, init.name, index):
                self.ranges[id(made)] = Range(made, at, at)
            self._add_identifier(name, place)
            nodes.append(part)
        return nodes

    def _of_auto(self, name: str, const: list[str], reference: bool, coord: Any) -> c_ast.Node:
        """Build the declarator of `auto name`, or of `auto &name`."""
        kind = c_ast.TypeDecl(name, const, None, c_ast.IdentifierType(["auto"], coord), coord)
        return c_ast.PtrDecl(["&"], kind, coord) if reference else kind
