"""Walk and rebuild pycparser's trees, and define nodes that it lacks, such as a range-based `for`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from pycparser import c_ast

STEPS = ("++", "--", "p++", "p--")


def walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes in it, outermost first; nothing for None."""
    waiting = [node] if node is not None else []
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for _, child in reversed(node.children()))


@dataclass(frozen=True)
class Rest:
    """`first`, and the statements of a block from one on. A view, as each statement of a block has one."""

    nodes: Sequence[c_ast.Node] = ()
    start: int = 0
    first: tuple[c_ast.Node, ...] = ()

    def __iter__(self) -> Iterator[c_ast.Node]:
        return chain(self.first, islice(self.nodes, self.start, None))

    def after(self, node: c_ast.Node) -> Rest:
        return replace(self, first=(node, *self.first))


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Rebuild a node with `change` applied to each child; return the node itself if none changes.

    Words and numbers (an operator, a name, qualifiers) aren't children.
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
    """A range-based `for` before the types are known; until then its body begins with the first element."""

    def __init__(self, decl: Any, range: Any, stmt: Any, coord: Any) -> None:
        first = copy.copy(decl)
        first.init = c_ast.ArrayRef(range, c_ast.Constant("int", "0", coord), coord)
        super().__init__(None, None, None, c_ast.Compound([first, stmt], coord), coord)
        self.range = range


class CaseRange(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """The values of a label, `case first ... last:`."""

    __slots__ = ("__weakref__", "coord", "first", "last")
    attr_names = ()

    def __init__(self, first: Any, last: Any, coord: Any) -> None:
        self.first, self.last, self.coord = first, last, coord

    def children(self) -> tuple[tuple[str, Any], ...]:
        """Return the two ends."""
        return ("first", self.first), ("last", self.last)


class Whole(c_ast.Decl):  # type: ignore[misc]  # pycparser is untyped to us
    """The unnamed object that `auto [a, b] = e;` declares: `auto name = e;` here. `names` are a and b."""

    names: tuple[str, ...] = ()
    forwarded = False  # it is `auto &&[a, b]` of what may be a value or an lvalue


class Unpacked(c_ast.Decl):  # type: ignore[misc]  # pycparser is untyped to us
    """One of the names in `auto [a, b] = e;`, as a reference to the element `at` of an array.

    If e is a struct, it refers to the field at that position.
    """

    at = 0
    count = 0


def is_value(node: c_ast.Node) -> bool:
    """Whether an expression is no lvalue by its form, except for a call that returns a reference."""
    match node:
        case c_ast.UnaryOp(op=op):
            return op in ("-", "+", "!", "~")
        case c_ast.Cast(to_type=c_ast.Typename(type=type)):
            return not isinstance(type, c_ast.PtrDecl)
        case _:
            return isinstance(node, c_ast.BinaryOp | c_ast.Constant | c_ast.FuncCall)


def root(node: c_ast.Node) -> c_ast.ID | None:
    """Return the name at the bottom of `a[i].b.c`, `p->q`, `*p`, if there is one."""
    while True:
        match node:
            case c_ast.ID():
                return node
            case c_ast.StructRef(name=c_ast.BinaryOp(), type="."):  # a field of an operator's value
                return None
            case c_ast.ArrayRef(name=inner) | c_ast.StructRef(name=inner):
                node = inner
            case c_ast.UnaryOp(op="*" | "&", expr=inner) | c_ast.BinaryOp(op="+" | "-", left=inner):
                node = inner
            case _:
                return None


def bottom(node: c_ast.Node) -> c_ast.Cast | None:
    """Return the cast between pointers at the bottom of an lvalue, if there is one."""
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
    """Return the names that an expression mentions."""
    own = {root.name} if isinstance(root, c_ast.ID) else set()
    return own.union(*(names(child) for child in parts(root)))


def parts(node: c_ast.Node) -> list[c_ast.Node]:
    """Return the children of a node, except for the name of a field."""
    return [node.name] if isinstance(node, c_ast.StructRef) else [child for _, child in node.children()]


def is_null(node: c_ast.Node) -> bool:
    """Whether an expression is a null pointer by its form."""
    match node:
        case c_ast.Constant(value="nullptr" | "0") | c_ast.ID(name="NULL"):
            return True
        case c_ast.Cast(expr=inner):
            return is_null(inner)
        case _:
            return False


def moved(root: c_ast.Node | None) -> frozenset[str]:
    """Return the names that are assigned to as a whole."""
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
    """Return the operands of an operator."""
    match node:
        case c_ast.BinaryOp(left=left, right=right):
            return [left, right]
        case c_ast.Assignment(lvalue=left, rvalue=right):
            return [left, right]
        case _:
            return [node.expr]
