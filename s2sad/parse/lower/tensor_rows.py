"""Replace rows of tensors, variables that hold what remains of an accessor after an index, by it.

    auto row = x[n][k + 1];               const int row_index = k + 1;
    row[c] *= row[c + 1];       is        x[n][row_index][c] *= x[n][row_index][c + 1];
    ... row.size(0)                       ... x.size(2)

This is done in the rest of the row's block, before it is lowered: what reads and writes x is seen to do
so. An index is evaluated where the row is declared, unless it is a number, or a variable that keeps its
value as long as the row is in scope. A row that is used in another way, or whose block
declares one of these names again, is left as it is, and refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from ...fields import layout_of
from ...ir import Scalar, Struct, Sym
from ..sema.scope import Context
from ..syntax import ast_utils
from ..syntax.lambdas import Lambda
from ..types.builtins import BUILTINS
from .memory import struct_variables

_METHODS = ("size", "stride")


def opened(ctx: Context, node: Any, rest: Sequence[Any]) -> list[Any] | None:
    """Return what a declaration of a row and the statements after it become; None for all others."""
    if ctx.unit.emitted or "operator[]" not in ctx.unit.methods or not _declares(node):
        return None
    object_, given = _indexed(node.init)
    if not isinstance(object_, c_ast.ID) or object_.name in ctx.moved:
        return None
    if not struct_variables.named(ctx, object_):
        return None
    type = struct_variables.static_access(ctx, object_)
    if not isinstance(type, Struct) or type.extents or not 0 < len(given) < layout_of(type).rank:
        return None
    before: list[Any] = []
    fixed = [_fixed(ctx, node, index, rest, before) for index in given]
    names = {node.name, object_.name, *(n for index in fixed for n in ast_utils.names(index))}
    if any(isinstance(part, c_ast.Decl) and part.name in names for each in rest for part in _parts(each)):
        return None
    row = _Row(ctx, node.name, object_, fixed)
    if not all(map(row.fits, rest)):
        return None
    return [*before, *map(row.without, rest)]


def plainly_indexed(node: Any) -> Any:
    """Drop `0 * stride`, and the factor of `1 * stride`, from the index of an element of a tensor."""
    if not isinstance(node, c_ast.ArrayRef):
        return node
    index = _plain(node.subscript)
    return node if index is node.subscript else c_ast.ArrayRef(node.name, index, node.coord)


def _plain(node: Any) -> Any:
    match node:
        case c_ast.BinaryOp(op="*", left=left, right=right) if _literal(left) in ("0", "1"):
            return left if _literal(left) == "0" else right
        case c_ast.BinaryOp(op="+", left=left, right=right):
            left, right = _plain(left), _plain(right)
            if _literal(left) == "0":
                return right
            if _literal(right) == "0":
                return left
            same = left is node.left and right is node.right
            return node if same else c_ast.BinaryOp("+", left, right, node.coord)
        case _:
            return node


def _literal(node: Any) -> str:
    """Return the text of a number, maybe converted; empty for others."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return str(node.value) if isinstance(node, c_ast.Constant) else ""


def _declares(node: Any) -> bool:
    """Whether a statement is `auto row = x[n];`."""
    return (
        isinstance(node, c_ast.Decl)
        and isinstance(node.type, c_ast.TypeDecl)
        and getattr(node.type.type, "names", None) == ["auto"]
        and isinstance(node.init, c_ast.ArrayRef)
    )


def _indexed(node: Any) -> tuple[Any, list[Any]]:
    """Return what is indexed, and the indices, from the first on."""
    given: list[Any] = []
    while isinstance(node, c_ast.ArrayRef):
        given.insert(0, node.subscript)
        node = node.name
    return node, given


def _parts(node: Any) -> Sequence[Any]:
    return list(ast_utils.walk(node))


def _fixed(ctx: Context, row: Any, index: Any, rest: Sequence[Any], before: list[Any]) -> Any:
    """Return an index that keeps its value: a literal, a variable, or one declared for it."""
    if isinstance(index, c_ast.Constant) or (isinstance(index, c_ast.ID) and _keeps(ctx, index.name, rest)):
        return index
    name = ctx.fresh(f"{row.name}_index")
    words = c_ast.IdentifierType(["auto"], row.coord)
    type = c_ast.TypeDecl(name, ["const"], None, words, row.coord)
    made = c_ast.Decl(name, ["const"], [], [], [], type, index, None, row.coord)
    ctx.unit.written.stands_for(made, row)
    before.append(made)
    return c_ast.ID(name, row.coord)


def _keeps(ctx: Context, name: str, rest: Sequence[Any]) -> bool:
    """Whether these statements don't change a number, nor anything that may refer to it."""
    named = ctx.lookup(name)
    if not isinstance(named, Sym) or not isinstance(named.type, Scalar):
        return False
    if named.const:
        return True
    if ctx.inside or ctx.root is None or any(name in ast_utils.moved(each) for each in rest):
        return False
    return not any(_refers(part, name) for part in _parts(ctx.root))


def _refers(node: Any, name: str) -> bool:
    """Whether a node may make something refer to a variable: `&n`, a reference, an argument, a lambda."""
    match node:
        case c_ast.UnaryOp(op="&"):
            return name in ast_utils.names(node.expr)
        case c_ast.Decl(type=c_ast.PtrDecl(quals=quals)) if "&" in (quals or ()):
            return name in ast_utils.names(node.init)
        case c_ast.FuncCall(args=c_ast.ExprList(exprs=args)):
            known = isinstance(node.name, c_ast.ID) and node.name.name in BUILTINS
            return not known and any(isinstance(arg, c_ast.ID) and arg.name == name for arg in args)
        case _:
            return isinstance(node, Lambda) and name in ast_utils.names(node)


class _Row:
    """A row by its name, with the accessor and the indices that it stands for."""

    def __init__(self, ctx: Context, name: str, object_: Any, given: list[Any]) -> None:
        self.ctx = ctx
        self.name = name
        self.object_ = object_
        self.given = given

    def fits(self, node: Any) -> bool:
        """Whether a node uses the row only with an index, or for its sizes."""
        match node:
            case c_ast.ID(name=self.name):
                return False
            case c_ast.ArrayRef(name=c_ast.ID(name=self.name), subscript=index):
                return self.fits(index)
            case c_ast.FuncCall() if self._asked(node):
                return self.fits(node.args)
            case c_ast.StructRef(name=inner):  # the name of a field is no variable's
                return self.fits(inner)
            case _:
                return all(self.fits(child) for _, child in node.children())

    def _asked(self, node: Any) -> bool:
        """Whether a call is `row.size(k)`."""
        match node:
            case c_ast.FuncCall(
                name=c_ast.StructRef(name=c_ast.ID(name=self.name), type=".", field=c_ast.ID(name=method)),
                args=c_ast.ExprList(exprs=[_]),
            ):
                return method in _METHODS
            case _:
                return False

    def _later(self, dimension: Any) -> Any:
        """Return the accessor's dimension that is one of the row."""
        count = len(self.given)
        if isinstance(dimension, c_ast.Constant) and dimension.value.isdigit():
            return c_ast.Constant("int", str(int(dimension.value) + count), dimension.coord)
        skipped = c_ast.Constant("int", str(count), dimension.coord)
        return c_ast.BinaryOp("+", self.without(dimension), skipped, dimension.coord)

    def without(self, node: Any) -> Any:
        """Return the node with the accessor in the row's place."""
        if isinstance(node, c_ast.ID) and node.name == self.name:
            made = self.object_
            for index in self.given:
                made = c_ast.ArrayRef(made, index, node.coord)
        elif self._asked(node):
            args = c_ast.ExprList([self._later(node.args.exprs[0])], node.coord)
            method = c_ast.StructRef(self.object_, ".", node.name.field, node.coord)
            made = c_ast.FuncCall(method, args, node.coord)
        else:
            made = ast_utils.rebuilt(node, self.without)
        if made is not node:
            self.ctx.unit.written.stands_for(made, node)
        return made
