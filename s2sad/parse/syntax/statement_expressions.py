"""Parse statement expressions, an extension of compilers: `({ T a = x; a < b ? a : b; })`.

A variable in one is a name for its value, so each of its uses is replaced by that value:

    ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
    x < y ? x : y

Nothing in it may have a side effect, and nothing may be called, so that it doesn't matter how
often a value is evaluated. If the file overloads operators, a value must be a name or a
constant, since an operator may have side effects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from .qualified_types import TYPE_OF, TYPEOF, ClassIds, ClassName

_PURE = (
    c_ast.ArrayRef,
    c_ast.BinaryOp,
    c_ast.Cast,
    c_ast.Constant,
    c_ast.ID,
    c_ast.StructRef,
    c_ast.TernaryOp,
    c_ast.Typename,
    c_ast.TypeDecl,
    c_ast.IdentifierType,
)
_SIGNS = ("-", "+", "!", "~", "*")


class Blocks(ClassIds):
    """The parser method for statement expressions."""

    def _parse_block_as_value(self) -> c_ast.Node:
        """Parse what is between `({` and `})`, with its variables replaced by their values."""
        self._expect("LBRACE")
        values: dict[str, c_ast.Node] = {}
        self._scope_stack.append({})
        while True:
            if (token := self._peek()) is not None and token.value in TYPE_OF:
                self._advance()
                self._pass_over_parentheses()
                name = self._expect("ID").value
                self._expect("EQUALS")
                value = self._parse_assignment_expression()
                self._expect("SEMI")
                self._name(values, name, value)
            elif self._starts_declaration():
                for node in self._parse_declaration():
                    self._name(values, *self._declared(node))
            else:
                break
        result = self._parse_assignment_expression()
        self._expect("SEMI")
        self._expect("RBRACE")
        self._scope_stack.pop()
        if not is_pure(result):
            self._no_block()
        return replaced(result, values)

    def _name(self, values: dict[str, c_ast.Node], name: str, value: c_ast.Node) -> None:
        """Let a name denote a value from here on."""
        own = any(lexeme.value.startswith("operator") for lexeme in self._lexemes)
        simple = isinstance(value, c_ast.ID | c_ast.Constant)
        if name in values or not is_pure(value) or name in named(value) or (own and not simple):
            self._no_block()
        values[name] = replaced(value, values)

    def _declared(self, node: Any) -> tuple[str, c_ast.Node]:
        """Return the name and the value of a variable, converted to its type."""
        if not isinstance(node, c_ast.Decl) or not isinstance(node.type, c_ast.TypeDecl) or node.init is None:
            self._no_block()
        words = {*(node.storage or ()), *(node.quals or ())}
        kind = node.type.type
        if words - {"const"} or not isinstance(kind, c_ast.IdentifierType):
            self._no_block()
        if list(kind.names) == ["auto"] or _of_itself(kind.names[0], node.init):
            return node.name, node.init
        unnamed = c_ast.TypeDecl(None, [], None, kind, node.coord)
        made = c_ast.Cast(c_ast.Typename(None, [], None, unnamed, node.coord), node.init, node.coord)
        self.ranges[id(made)] = self.ranges[id(node)].of(made)
        return node.name, made

    def _pass_over_parentheses(self) -> None:
        self._expect("LPAREN")
        depth = 1
        while depth and (token := self._tokens.next()) is not None:
            depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)

    def _no_block(self) -> None:
        self._not_taken("a statement where a value is expected", "use a variable")


def _of_itself(name: str, value: c_ast.Node) -> bool:
    """Whether a type is that of this very value: `__typeof__(x) a = (x);`."""
    if not isinstance(name, ClassName) or name.of != TYPEOF or not name.args:
        return False
    return _same(name.args[0], value)


def _same(a: Any, b: Any) -> bool:
    """Whether two nodes are structurally equal."""
    ours, theirs = a.children(), b.children()
    words = all(getattr(a, word, None) == getattr(b, word, None) for word in a.attr_names)
    return (
        type(a) is type(b)
        and words
        and len(ours) == len(theirs)
        and all(_same(one, other) for (_, one), (_, other) in zip(ours, theirs, strict=True))
    )


def is_pure(node: c_ast.Node) -> bool:
    """Whether a value may be evaluated any number of times: it has no side effect and calls nothing."""
    own = node.op in _SIGNS if isinstance(node, c_ast.UnaryOp) else isinstance(node, _PURE)
    return own and all(is_pure(child) for _, child in node.children())


def named(node: c_ast.Node) -> set[str]:
    """Return the names in a value."""
    own = {node.name} if isinstance(node, c_ast.ID) else set()
    return own.union(*(named(child) for _, child in _parts(node)))


def replaced(node: c_ast.Node, values: Mapping[str, c_ast.Node]) -> c_ast.Node:
    """Replace these names in a value, in place."""
    if isinstance(node, c_ast.ID):
        return values.get(node.name, node)
    for key, child in _parts(node):
        setattr(node, key, replaced(child, values))
    return node


def _parts(node: c_ast.Node) -> list[tuple[str, c_ast.Node]]:
    """Return the values in a value, except for the name of a field."""
    if isinstance(node, c_ast.StructRef):
        return [("name", node.name)]
    return [(key, child) for key, child in node.children() if not isinstance(child, c_ast.Typename)]
