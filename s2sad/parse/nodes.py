"""Nodes of pycparser's tree made anew: with other parts, where nothing else about them changes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from pycparser import c_ast


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
