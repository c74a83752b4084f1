"""Split `enum Kind { A, B } kind;` among the members of a class into a type and a field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast


def innermost(node: Any) -> Any:
    """Return the type at the bottom of a declarator."""
    while isinstance(node, c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl):
        node = node.type
    return node


def split(decls: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Return the enumerations that declarations define, each as one of its own, and the fields."""
    types: list[Any] = []
    fields: list[Any] = []
    for decl in decls:
        inner = innermost(decl.type)
        if isinstance(inner, c_ast.Enum) and not any(inner is one.type for one in types):
            types.append(c_ast.Decl(None, [], [], [], [], inner, None, None, inner.coord))
        if decl.name is not None:
            fields.append(decl)
    return types, fields
