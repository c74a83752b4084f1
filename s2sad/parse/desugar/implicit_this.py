"""Write out the object of a method: `x` becomes `self.x`, and `*this` becomes `self`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from ..syntax import ast_utils

THIS = "self"  # no keyword: it may have to be declared


def declared(body: c_ast.Node) -> set[str]:
    """Return the names that a body declares."""
    found = {body.name} if isinstance(body, c_ast.Decl) and body.name else set()
    return found.union(*(declared(child) for _, child in body.children()))


@dataclass(frozen=True)
class Inside:
    """Rewrites a method's body as a function's: names of fields and methods become members of `self`."""

    stands_for: Callable[[Any, Any], None]
    fields: frozenset[str]
    names: frozenset[str]

    def rewritten(self, node: Any) -> Any:
        """Rewrite names of fields to accesses of the object; spans are kept."""
        made = self._rewritten(node)
        if made is not node:
            self.stands_for(made, node)
        return made

    def _rewritten(self, node: Any) -> Any:
        match node:
            case c_ast.ID(name=name) if name in self.fields:
                return c_ast.StructRef(c_ast.ID(THIS, node.coord), ".", node, node.coord)
            case c_ast.ID(name="this"):
                return c_ast.ID(THIS, node.coord)
            case c_ast.UnaryOp(op="*", expr=c_ast.ID(name="this")):
                return c_ast.ID(THIS, node.coord)
            case c_ast.StructRef(name=c_ast.ID(name="this")):
                return c_ast.StructRef(c_ast.ID(THIS, node.coord), ".", node.field, node.coord)
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in self.names:
                method = c_ast.StructRef(c_ast.ID(THIS, node.coord), ".", node.name, node.coord)
                args = None if node.args is None else self.rewritten(node.args)
                return c_ast.FuncCall(method, args, node.coord)
            case c_ast.StructRef():
                made = copy.copy(node)
                made.name = self.rewritten(node.name)
                return made
            case c_ast.Node():
                return ast_utils.rebuilt(copy.copy(node), self.rewritten)  # a copy for each instance
            case _:
                return node
