"""Nodes of pycparser's tree walked and made anew, and one that it doesn't have: a `for` over a range."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from pycparser import c_ast

STEPS = ("++", "--", "p++", "p--")


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


class CaseRange(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """The numbers of a label, `case first ... last:`."""

    __slots__ = ("__weakref__", "coord", "first", "last")
    attr_names = ()

    def __init__(self, first: Any, last: Any, coord: Any) -> None:
        self.first, self.last, self.coord = first, last, coord

    def children(self) -> tuple[tuple[str, Any], ...]:
        """The two ends."""
        return ("first", self.first), ("last", self.last)


class Whole(c_ast.Decl):  # type: ignore[misc]  # pycparser is untyped to us
    """What `auto [a, b] = e;` declares without a name: `auto name = e;` here. `names` are a and b."""

    names: tuple[str, ...] = ()
    forwarded = False  # it is `auto &&[a, b]` of what may be a value or a place


class Unpacked(c_ast.Decl):  # type: ignore[misc]  # pycparser is untyped to us
    """One of the names in `auto [a, b] = e;`, as a reference to the element `at` of an array.

    If e is a struct, what it refers to is the field at that place.
    """

    at = 0
    count = 0


def is_value(node: c_ast.Node) -> bool:
    """Whether it is a value by its form, and no place, unless it is a call of what returns a reference."""
    match node:
        case c_ast.UnaryOp(op=op):
            return op in ("-", "+", "!", "~")
        case c_ast.Cast(to_type=c_ast.Typename(type=type)):
            return not isinstance(type, c_ast.PtrDecl)
        case _:
            return isinstance(node, c_ast.BinaryOp | c_ast.Constant | c_ast.FuncCall)


def root(node: c_ast.Node) -> c_ast.ID | None:
    """The name at the bottom of `a[i].b.c`, `p->q`, `*p`, if there is one."""
    while True:
        match node:
            case c_ast.ID():
                return node
            case c_ast.StructRef(name=c_ast.BinaryOp(), type="."):  # of a value, which an operator makes
                return None
            case c_ast.ArrayRef(name=inner) | c_ast.StructRef(name=inner):
                node = inner
            case c_ast.UnaryOp(op="*" | "&", expr=inner) | c_ast.BinaryOp(op="+" | "-", left=inner):
                node = inner
            case _:
                return None


def bottom(node: c_ast.Node) -> c_ast.Cast | None:
    """The cast between pointers at the bottom of a place, if there is one."""
    while True:
        match node:
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl())):
                return node
            case c_ast.StructRef(name=c_ast.BinaryOp(), type="."):
                return None
            case c_ast.ArrayRef(name=inner) | c_ast.StructRef(name=inner):
                node = inner
            case c_ast.UnaryOp(op="*" | "&", expr=inner) | c_ast.BinaryOp(op="+" | "-", left=inner):
                node = inner
            case _:
                return None


def names(root: c_ast.Node) -> set[str]:
    """The names that an expression mentions."""
    own = {root.name} if isinstance(root, c_ast.ID) else set()
    return own.union(*(names(child) for child in parts(root)))


def parts(node: c_ast.Node) -> list[c_ast.Node]:
    """The nodes in a node; the name of a field is none."""
    return [node.name] if isinstance(node, c_ast.StructRef) else [child for _, child in node.children()]


def is_null(node: c_ast.Node) -> bool:
    """Whether it is a null pointer by its form."""
    match node:
        case c_ast.Constant(value="nullptr" | "0") | c_ast.ID(name="NULL"):
            return True
        case c_ast.Cast(expr=inner):
            return is_null(inner)
        case _:
            return False


def moved(root: c_ast.Node | None) -> frozenset[str]:
    """The names that are assigned to as a whole."""
    found: set[str] = set()
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        match node:
            case c_ast.Assignment(lvalue=c_ast.ID(name=name)):
                found.add(name)
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in STEPS:
                found.add(name)
        waiting.extend(child for _, child in node.children())
    return frozenset(found)


def operands(node: c_ast.Node) -> list[c_ast.Node]:
    """The operands of an operator."""
    match node:
        case c_ast.BinaryOp(left=left, right=right):
            return [left, right]
        case c_ast.Assignment(lvalue=left, rvalue=right):
            return [left, right]
        case _:
            return [node.expr]
