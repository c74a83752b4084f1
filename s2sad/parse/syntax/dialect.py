"""Extend pycparser to CUDA C++: the constructs accepted beyond C, and those refused by name.

Each construct has one small method; this module has those for statements in general. An
unsupported construct is refused where it is, and parsing goes on at the next statement, so
that all are reported at once. A syntax error ends the parse: what follows it would be
guesswork.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from ...diagnostics import Code
from ..source.pp_tokens import words
from .control_flow import ControlFlow
from .positions import LAUNCHED, Skip

_GO_ON = words("SEMI COMMA LPAREN RPAREN ELSE PERIOD WHILE")
"""The tokens after a `}` that continue the statement."""


class Dialect(ControlFlow):
    """The parser of a file's items."""

    def _parse_statement(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        self._deeper()
        match self._peek_type():
            case "ASM" if (found := self._special_register()) is not None:
                self._depth = depth
                return self._noted(found, first)
            case "ASM" if self._orders_only():
                while not self._accept("SEMI"):
                    coord = self._tok_coord(self._advance())
                self._depth = depth
                return self._noted(c_ast.EmptyStatement(coord), first)
            case "ASM":
                self._skip(Code.INLINE_ASSEMBLY, self._at())
            case "EXCEPTION":
                self._skip(Code.NO_EXCEPTIONS, self._at(), word=self._advance().value)
            case "ELSE":
                self._wrong("'else' without an 'if'", self._at())
            case _ if self._starts_declaration() and not self._is_functional_cast():
                self._expected("expected a statement", "a declaration here needs braces around it")
        node = self._noted(super()._parse_statement(), first)
        self._depth = depth
        return node

    def _orders_only(self) -> bool:
        """Whether `asm volatile("" ::: "memory");` follows, which computes nothing."""
        k = 2 + (self._peek_type(2) in ("VOLATILE", "INLINE"))
        text = self._tokens.peek(k + 1)
        if self._peek_type(k) != "LPAREN" or text is None or text.value != '""':
            return False
        k += 2
        while self._peek_type(k) in ("COLON", "COLONCOLON", "STRING_LITERAL"):
            k += 1
        return [self._peek_type(k), self._peek_type(k + 1)] == ["RPAREN", "SEMI"]

    def _special_register(self) -> c_ast.Node | None:
        """Parse the helper's read of the size of dynamic shared memory, as an assignment."""
        kinds = ["ASM", "LPAREN", "STRING_LITERAL", "COLON", "STRING_LITERAL", "LPAREN", "ID", "RPAREN"]
        kinds += ["RPAREN", "SEMI"]
        if [self._peek_type(k + 1) for k in range(len(kinds))] != kinds:
            return None
        instruction, form, name = (self._at(k).text for k in (2, 4, 6))
        if (instruction, form) != (f'"mov.u32 %0, %{LAUNCHED};"', '"=r"'):
            return None
        named = self._tokens.peek(7)
        assert named is not None
        coord = self._tok_coord(named)
        for _ in kinds:
            self._advance()
        read = c_ast.FuncCall(c_ast.ID(LAUNCHED, coord), None, coord)
        return c_ast.Assignment("=", c_ast.ID(name, coord), read, coord)

    def _parse_block_item(self) -> Any:
        """Parse a statement or declaration; after a refusal, go on after it."""
        start, scopes, depth = self._tokens.mark(), len(self._scope_stack), self._depth
        try:
            match self._peek_type():
                case "CLASS" if self._said() in ("using", "namespace"):
                    raise Skip  # uses of what it names are refused
                case "CLASS" if self._said() == "this" and self.in_class:
                    pass  # `this->x = x;`
                case "CLASS" | "TEMPLATE":
                    self._class()
                case "ID" if self._peek_type(2) == "COLONCOLON":
                    self._no_namespace(1)
                case "ID" if self._peek_type(2) == "LPAREN":
                    self._no_macro()
                case "ID" if self._is_undeclared_type():
                    self._undeclared_type()
                case "TYPEID" if self._is_call_of_an_object():
                    first = self._first()
                    node = self._parse_expression()
                    self._expect("SEMI")
                    return [self._noted(node, first)]
            return super()._parse_block_item()
        except Skip:
            self._reset(start)
            del self._scope_stack[scopes:]
            self._typedef_checked_token = None
            self._depth = depth
            self._pass_over_statement()
            return []

    def _is_call_of_an_object(self) -> bool:
        """Whether `Add<T>()(x, y);` follows, which makes an object and calls it."""
        return self._is_functional_cast() and [self._peek_type(k) for k in (2, 3, 4)] in (
            ["LPAREN", "RPAREN", "LPAREN"],
            ["LBRACE", "RBRACE", "LPAREN"],
        )

    def _no_macro(self) -> None:
        """Refuse `CUDA_KERNEL_LOOP(i, n) { … }`: a call followed by a block is the use of a macro."""
        depth, k, parts = 0, 2, 1
        while (token := self._tokens.peek(k)) is not None:
            depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
            parts += token.type == "COMMA" and depth == 1
            k += 1
            if depth == 0:
                break
        after = self._tokens.peek(k)
        if after is not None and after.type in ("LBRACE", "FOR", "IF", "WHILE"):
            name = self._at().text
            parameters = ", ".join("inabcd"[:parts])
            self._skip(Code.UNKNOWN_MACRO, self._at(), name=name, parameters=parameters)

    def _pass_over_statement(self) -> None:
        depth = 0
        while (token := self._tokens.peek()) is not None:
            if token.type == "RBRACE" and depth == 0:
                return
            self._tokens.next()
            match token.type:
                case "LPAREN" | "LBRACE" | "LBRACKET":
                    depth += 1
                case "RPAREN" | "RBRACKET":
                    depth -= 1
                case "RBRACE":
                    depth -= 1
                    follows = self._tokens.peek()
                    after = follows.type if follows is not None else ""
                    if follows is not None and follows.value == "catch":
                        continue
                    if depth == 0 and after not in _GO_ON:
                        return
                case "SEMI" if depth == 0:
                    if self._peek_type() != "ELSE":
                        return

    def _parse_compound_statement(self, *, new_scope: bool = True) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_compound_statement(new_scope=new_scope), first)
