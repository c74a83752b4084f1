"""Rewrite pointers to numbers that are cast to pointers to rows as pointers to numbers.

    const float (*m)[4][3] = (const float (*)[4][3])(p + k);       const float *m = (const float *)(p + k);
    s += (*m)[a][b] * m[1][a][b];                            ->    s += m[a * 3 + b] * m[(1 * 4 + a) * 3 + b];

This is done if such a pointer, or a reference to its target, is only used to access numbers;
any other is refused in lowering.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ..syntax import ast_utils


@dataclass(frozen=True)
class _Rows:
    """The target of a cast pointer: the extents of its rows, and the declarator of a number."""

    extents: tuple[Any, ...]
    number: Any


def settle(function: Any, stands_for: Callable[[Any, Any], None]) -> None:
    """Rewrite such pointers of a function's body."""
    found = (_cast(node) for node in ast_utils.walk(function.body) if isinstance(node, c_ast.Cast))
    if any(rows is not None for rows in found):
        rewriting = _Rewriting(stands_for, frozenset(_flat(function)))
        rewriting.declarations(function)
        function.body = rewriting.of(function.body)


def _flat(function: Any) -> Iterator[str]:
    """Yield the names of pointers to numbers and arrays of one index, if nothing else has the name."""
    args = function.decl.type.args
    params = args.params if args is not None else ()
    declared = [n for n in (*params, *ast_utils.walk(function.body)) if isinstance(n, c_ast.Decl)]
    names = [n.name for n in declared]
    for node in declared:
        match node.type:
            case c_ast.PtrDecl(type=c_ast.TypeDecl()) | c_ast.ArrayDecl(type=c_ast.TypeDecl()):
                if names.count(node.name) == 1:
                    yield node.name


def _rows(declarator: Any) -> _Rows | None:
    """Return the rows of a declarator of arrays of numbers; None for any other."""
    extents: list[Any] = []
    while isinstance(declarator, c_ast.ArrayDecl):
        extents.append(declarator.dim)
        declarator = declarator.type
    if not extents or None in extents or not isinstance(declarator, c_ast.TypeDecl):
        return None
    return _Rows(tuple(extents), declarator)


def _cast(node: Any) -> _Rows | None:
    """Return the rows of a cast to a pointer to rows; None for any other."""
    to = node.to_type.type if isinstance(node.to_type, c_ast.Typename) else None
    return _rows(to.type) if isinstance(to, c_ast.PtrDecl) and "&" not in (to.quals or ()) else None


@dataclass
class _Rewriting:
    stands_for: Callable[[Any, Any], None]
    flat: frozenset[str]  # the pointers to numbers and the arrays of one index
    pointers: dict[str, _Rows] = field(default_factory=dict)
    references: dict[str, _Rows] = field(default_factory=dict)

    def declarations(self, function: Any) -> None:
        """Find the variables that are initialised with such a cast and only used to access numbers."""
        every = list(ast_utils.walk(function.body))
        args = function.decl.type.args
        declared = [n.name for n in every if isinstance(n, c_ast.Decl)]
        declared += [getattr(p, "name", None) for p in (args.params if args is not None else ())]
        for node in every:
            match node:
                case c_ast.Decl(name=str() as name, type=c_ast.PtrDecl(quals=quals) as type, init=init):
                    reference = "&" in (quals or ())
                    begins = init.expr if reference and _is_pointed(init) else init
                    rows = _rows(type.type)
                    of = self._cast(begins) if isinstance(begins, c_ast.Cast) else None
                    if rows is None or of is None or len(rows.extents) != len(of.extents):
                        continue
                    if reference != _is_pointed(init) or declared.count(name) > 1:
                        continue
                    known = self.references if reference else self.pointers
                    known[name] = rows
        for name in [*self.pointers, *self.references]:
            uses = sum(isinstance(n, c_ast.ID) and n.name == name for n in every)
            if uses != sum(self._base(n) == name for n in every if isinstance(n, c_ast.ArrayRef)):
                self.pointers.pop(name, None)
                self.references.pop(name, None)

    def _cast(self, node: Any) -> _Rows | None:
        """Return the rows of a cast of a pointer to numbers, not to rows."""
        first = next((n.name for n in ast_utils.walk(node.expr) if isinstance(n, c_ast.ID)), None)
        return _cast(node) if first in self.flat else None

    def _base(self, node: Any) -> str | None:
        """Return the name of such a variable in an access to a number of its rows."""
        found = self._number(node)
        return found[0].name if found is not None and isinstance(found[0], c_ast.ID) else None

    def _number(self, node: Any) -> tuple[Any, _Rows, list[Any], bool] | None:
        """Return the pointer, its rows, a number's indices, and whether the first counts whole arrays."""
        indices: list[Any] = []
        while isinstance(node, c_ast.ArrayRef):
            indices.insert(0, node.subscript)
            node = node.name
        pointed = _is_pointed(node)
        node = node.expr if pointed else node
        rows: _Rows | None = None
        match node:
            case c_ast.ID(name=name) if not pointed and name in self.references:
                rows, pointed = self.references[name], True
            case c_ast.ID(name=name):
                rows = self.pointers.get(name)
            case c_ast.Cast():
                rows = self._cast(node)
        if rows is None or len(indices) != len(rows.extents) + (not pointed):
            return None
        return node, rows, indices, not pointed

    def of(self, node: Any) -> Any:
        """Replace such pointers in the node by pointers to numbers."""
        if isinstance(node, c_ast.Decl) and node.name in (*self.pointers, *self.references):
            return self._declared(node)
        found = self._number(node) if isinstance(node, c_ast.ArrayRef) else None
        if found is None:
            made = ast_utils.rebuilt(node, self.of)
        else:
            pointer, rows, indices, counted = found
            made = c_ast.ArrayRef(self._plain(pointer, rows), self._index(rows, indices, counted), node.coord)
        if made is not node:
            self.stands_for(made, node)
        return made

    def _index(self, rows: _Rows, indices: list[Any], counted: bool) -> Any:
        first, *others = (self.of(index) for index in indices)
        for extent, index in zip(rows.extents if counted else rows.extents[1:], others, strict=True):
            if isinstance(first, c_ast.Constant) and first.value == "0":
                first = index
                continue
            first = _times(first, copy.deepcopy(extent))
            first = _plus(first, index)
        return first

    def _plain(self, pointer: Any, rows: _Rows) -> Any:
        """Make a cast one to a pointer to numbers; leave a name as it is."""
        if isinstance(pointer, c_ast.ID):
            return pointer
        number = copy.copy(rows.number)
        number.declname = None
        to = c_ast.Typename(None, list(pointer.to_type.quals or []), None, None, pointer.coord)
        to.type = c_ast.PtrDecl([], number, pointer.coord)
        made = c_ast.Cast(to, self.of(pointer.expr), pointer.coord)
        self.stands_for(made, pointer)
        return made

    def _declared(self, node: Any) -> Any:
        begins = node.init.expr if _is_pointed(node.init) else node.init
        rows = _cast(begins)
        assert rows is not None
        made = copy.copy(node)
        number = copy.copy(rows.number)
        number.declname = node.name
        made.type = c_ast.PtrDecl([], number, node.coord)
        made.init = self._plain(begins, rows)
        self.stands_for(made, node)
        return made


def _times(index: Any, extent: Any) -> Any:
    one, many = (_decimal(part) for part in (index, extent))
    if one is not None and many is not None:
        return c_ast.Constant("int", str(one * many), index.coord)
    return c_ast.BinaryOp("*", index, extent, index.coord)


def _plus(index: Any, by: Any) -> Any:
    one, other = _decimal(index), _decimal(by)
    if one is not None and other is not None:
        return c_ast.Constant("int", str(one + other), index.coord)
    return index if other == 0 else c_ast.BinaryOp("+", index, by, index.coord)


def _decimal(node: Any) -> int | None:
    match node:
        case c_ast.Constant(type="int", value=text) if text.isdigit() and (text == "0" or text[0] != "0"):
            return int(text)
        case _:
            return None


def _is_pointed(node: Any) -> bool:
    return isinstance(node, c_ast.UnaryOp) and node.op == "*"
