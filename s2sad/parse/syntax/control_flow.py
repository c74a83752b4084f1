"""Parse control flow: conditions that declare, range-based `for`, labels of many cases.

if (T x = e) s              ->     { T x = e; if (x) s }
while (T x = e) s           ->     while (1) { T x = e; if (!x) break; s }
for (a; T x = e; c) s       ->     for (a; ; c) { T x = e; if (!x) break; s }
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast
from pycparser.ast_transforms import fix_switch_cases
from pycparser.c_parser import Coord

from ...diagnostics import Code
from .ast_utils import CaseRange, RangeFor, Whole, names
from .structured_bindings import StructuredBindings


class ControlFlow(StructuredBindings):
    """Parser methods for branches, loops and jumps."""

    def _parse_labeled_statement(self) -> c_ast.Node:
        """Parse as pycparser does, and also `case 1 ... 3:`, an extension of compilers."""
        if self._peek_type() != "CASE":
            return super()._parse_labeled_statement()
        coord = self._tok_coord(self._advance())
        label = self._parse_constant_expression()
        if self._accept("ELLIPSIS"):
            label = CaseRange(label, self._parse_constant_expression(), label.coord)
        self._expect("COLON")
        stmt = self._parse_pragmacomp_or_statement() if self._starts_statement() else None
        return c_ast.Case(label, [stmt or c_ast.EmptyStatement(coord)], coord)

    def _parse_selection_statement(self) -> c_ast.Node:
        if self._declares_in_condition():
            return self._with_declaration()
        return super()._parse_selection_statement()

    def _parse_iteration_statement(self) -> c_ast.Node:
        if self._peek_type() == "FOR":
            return self._range_for() if self._is_range_for() else self._for()
        elif self._declares_in_condition():
            return self._with_declaration()
        return super()._parse_iteration_statement()

    def _declares_in_condition(self) -> bool:
        third = self._tokens.peek(3)
        if self._peek_type(2) != "LPAREN" or third is None:
            return False
        self._peek(3)  # classifies the name
        return bool(self._starts_declaration(third) and not self._is_functional_cast(3))

    def _with_declaration(self) -> c_ast.Node:
        """Parse `if (T x = e) s` as `{ T x = e; if (x) s }`; for a `while`, put it into the body."""
        first, word = self._first(), self._peek().value
        begin = self._tok_coord(self._advance())
        self._expect("LPAREN")
        self._push_scope()
        at, place = self._first(), self._at()
        items = self._parse_decl_body()
        if word != "while" and self._accept("SEMI"):
            cond = self._parse_expression()
        else:
            if len(items) != 1 or not isinstance(items[0], c_ast.Decl):
                self._skip(Code.DECLARATION_IN_CONDITION, place, word=word)
            cond = self._noted(c_ast.ID(items[0].name, items[0].coord), at)
        self._expect("RPAREN")
        if word == "while":
            items += [self._leaving(cond, begin, at), self._parse_pragmacomp_or_statement()]
        elif word == "switch":
            chosen = c_ast.Switch(cond, self._parse_pragmacomp_or_statement(), begin)
            items.append(self._noted(fix_switch_cases(chosen), first))
        else:
            then = self._parse_pragmacomp_or_statement()
            other = self._parse_pragmacomp_or_statement() if self._accept("ELSE") else None
            items.append(self._noted(c_ast.If(cond, then, other, begin), first))
        self._pop_scope()
        made = self._noted(c_ast.Compound(items, begin), first)
        if word == "while":
            true = self._noted(c_ast.Constant("int", "1", begin), first)
            made = self._noted(c_ast.While(true, made, begin), first)
        return made

    def _leaving(self, cond: c_ast.Node, begin: Coord, at: int) -> c_ast.Node:
        """Build `if (!cond) break;`."""
        over = self._noted(c_ast.UnaryOp("!", cond, cond.coord), at)
        return self._noted(c_ast.If(over, self._noted(c_ast.Break(begin), at), None, begin), at)

    def _for(self) -> c_ast.Node:
        """Parse `for (a; T x = e; c) s` as `for (a; ; c) { T x = e; if (!x) break; s }`."""
        first = self._first()
        made = super()._parse_iteration_statement()
        decl, place = self._conditions.pop(id(made.cond), (None, None))
        if decl is None or place is None:
            return made
        if decl.name in names(made.next):
            self._skip(Code.DECLARATION_IN_CONDITION, place, word="for")
        items = [decl, self._leaving(made.cond, made.coord, first), made.stmt]
        made.cond, made.stmt = None, self._noted(c_ast.Compound(items, made.coord), first)
        return made

    def _parse_expression_opt(self) -> c_ast.Node:
        """Parse an expression, or a declaration in the condition of a `for`."""
        first = self._tokens.peek(1)
        if first is None or not self._starts_declaration() or self._is_functional_cast(1):
            return super()._parse_expression_opt()
        at, place = self._first(), self._at()
        items = self._parse_decl_body()
        if len(items) != 1 or not isinstance(items[0], c_ast.Decl):
            self._skip(Code.DECLARATION_IN_CONDITION, place, word="for")
        cond = self._noted(c_ast.ID(items[0].name, items[0].coord), at)
        self._conditions[id(cond)] = items[0], place
        return cond

    def _is_range_for(self) -> bool:
        """Whether the head of a `for` contains a colon that doesn't belong to `?:`."""
        depth, k, choices = 0, 2, 0
        while (token := self._tokens.peek(k)) is not None:
            match token.type:
                case "LPAREN" | "LBRACE" | "LBRACKET":
                    depth += 1
                case "RPAREN" | "RBRACE" | "RBRACKET":
                    depth -= 1
                case "CONDOP":
                    choices += 1
                case "COLON" if choices:
                    choices -= 1
                case "COLON" if depth == 1:
                    return True
            if depth == 0 or token.type == "SEMI":
                return False
            k += 1
        return False

    def _range_for(self) -> c_ast.Node:
        """Parse `for (auto &r : q) s`."""
        first = self._first()
        begin = self._tok_coord(self._advance())
        self._expect("LPAREN")
        place = self._at()
        self._push_scope()
        decls = self._parse_decl_body()
        parts: list[Any] = []
        if isinstance(decls[0], Whole):
            decls, parts = decls[:1], decls[1:]
        if len(decls) != 1 or not isinstance(decls[0], c_ast.Decl) or decls[0].name is None:
            self._skip(Code.NO_RANGE_FOR, place, over="several variables")
        self._expect("COLON")
        range_ = self._parse_initializer()
        self._expect("RPAREN")
        stmt = self._parse_pragmacomp_or_statement()
        if parts:
            stmt = self._noted(c_ast.Compound([*parts, stmt], begin), first)
        self._pop_scope()
        made = RangeFor(decls[0], range_, stmt, begin)
        self._noted(made.stmt, first)
        return self._noted(made, first)

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO":
            self._refuse(Code.GOTO, self._at())
        if self._peek_type() == "RETURN" and self._peek_type(2) == "LBRACE":  # `return {a, b};`
            token = self._advance()
            value = self._parse_initializer()
            self._expect("SEMI")
            return self._noted(c_ast.Return(value, self._tok_coord(token)), token.first)
        return super()._parse_jump_statement()
