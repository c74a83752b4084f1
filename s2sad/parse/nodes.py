"""Nodes of pycparser's tree walked and made anew, and one that it doesn't have: a `for` over a range."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from pycparser import c_ast


def walk(node: Any) -> Iterator[Any]:
    """A node and all that is in it, outermost first; nothing of None."""
    if node is not None:
        yield node
        for _, child in node.children():
            yield from walk(child)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with what `change` makes of each node in it; itself, if it leaves all of them as they are.

    Words and numbers (an operator, a name, qualifiers) aren't parts.
    """
    made = node
    for slot in node.__slots__:
        inner = getattr(node, slot, None)
        new = inner
        if isinstance(inner, list):
            parts = [change(part) if isinstance(part, c_ast.Node) else part for part in inner]
            new = parts if any(a is not b for a, b in zip(parts, inner, strict=True)) else inner
        elif isinstance(inner, c_ast.Node):
            new = change(inner)
        if new is not inner:
            made = copy.copy(node) if made is node else made
            setattr(made, slot, new)
    return made


class RangeFor(c_ast.For):  # type: ignore[misc]  # pycparser is untyped to us
    """Such a loop before the types are known; until then its body begins with the first element."""

    def __init__(self, decl: Any, range: Any, stmt: Any, coord: Any) -> None:
        first = copy.copy(decl)
        first.init = c_ast.ArrayRef(range, c_ast.Constant("int", "0", coord), coord)
        super().__init__(None, None, None, c_ast.Compound([first, stmt], coord), coord)
        self.range = range
