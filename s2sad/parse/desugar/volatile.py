"""Drop `volatile` where it has no effect: a barrier separates all conflicting accesses to an array.

    s[t] = v;          __syncwarp();          v += s[t + 16];          __syncwarp();          s[t] = v;

Older code has no barriers there and relies on the lanes of a warp running in step; then the
word has an effect, so it is kept (and refused). What counts is each path from a store to a
load, or from a load to a store, of one array, whatever the indices, also between the branches
of an `if`: all must contain a barrier. The word is also kept where a loop may wait for a value,
and on global memory that is read: no barrier orders the blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ...fixpoint import fixpoint
from ..syntax.ast_utils import names, parts

_BARRIERS = ("__syncthreads", "__syncwarp")
_READ, _WRITTEN = "read", "written"

State = frozenset[str]


def settle(function: Any, *, is_kernel: bool) -> None:
    """Drop `volatile` from those arrays of a function where it has no effect."""
    if function.body is None:
        return
    for decl in _declared(function):
        if not _is_volatile(decl.type):
            continue
        walk = _Walk(decl.name)
        walk.run(function.body)
        if "__shared__" in (decl.storage or ()):
            settled = True
        elif is_kernel:
            settled = walk.seen == {_WRITTEN}
        else:  # how the caller uses a value that is only read here isn't known
            settled = len(walk.seen) == 2 and walk.meets_barriers
        if settled and walk.sound:
            _without(decl)


def _declared(function: Any) -> Iterator[Any]:
    """Yield the parameters that are pointers or arrays, and the arrays in shared memory."""
    args = function.decl.type.args
    for decl in args.params if args is not None else ():
        if isinstance(getattr(decl, "type", None), c_ast.PtrDecl | c_ast.ArrayDecl):
            yield decl
    for decl in _decls(function.body):
        if isinstance(decl.type, c_ast.ArrayDecl) and "__shared__" in (decl.storage or ()):
            yield decl


def _decls(node: Any) -> Iterator[Any]:
    if isinstance(node, c_ast.Decl):
        yield node
    for _, child in node.children():
        yield from _decls(child)


def _element(type: Any) -> Any:
    while isinstance(type, c_ast.PtrDecl | c_ast.ArrayDecl):
        type = type.type
    return type


def _is_volatile(type: Any) -> bool:
    return "volatile" in (getattr(_element(type), "quals", None) or ())


def _without(decl: Any) -> None:
    for part in (decl, _element(decl.type)):
        part.quals = [word for word in part.quals or () if word != "volatile"]


@dataclass
class _Walk:
    """Tracks the accesses to an array since the last barrier, over all paths to a statement."""

    name: str
    left: list[State] = field(default_factory=list)  # the states at exits of loops and switches
    sound: bool = True  # whether a barrier lies on every path between a store and a load
    seen: set[str] = field(default_factory=set)
    meets_barriers: bool = False

    def run(self, body: Any) -> None:
        """Analyse a function's body."""
        self._run(body, frozenset())

    def _run(self, node: Any, state: State) -> State:
        match node:
            case None:
                return state
            case c_ast.Compound():
                for item in node.block_items or ():
                    state = self._run(item, state)
                return state
            case c_ast.If() | c_ast.TernaryOp():
                state = self._run(node.cond, state)
                then = self._run(node.iftrue, state)  # other threads may be in the other branch by then
                return then | self._run(node.iffalse, state | then)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                state = self._run(getattr(node, "init", None), state)
                if self._mentions(node.cond) or (self._mentions(node.stmt) and _may_wait(node)):
                    self.sound = False
                step = getattr(node, "next", None)
                return self._left(lambda s: self._run(step, self._run(node.stmt, s)), state)
            case c_ast.Switch():
                state = self._run(node.cond, state)
                return self._left(lambda s: self._run(node.stmt, s), state)
            case c_ast.Break() | c_ast.Continue() | c_ast.Goto():
                self.left.append(state)
                return state
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in _BARRIERS:
                self.meets_barriers = True
                return frozenset()
            case c_ast.Assignment():
                state = self._run(node.rvalue, state)
                return self._target(node.lvalue, state, also_read=node.op != "=")
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                return self._target(node.expr, state, also_read=True)
            case c_ast.BinaryOp(op="&&" | "||"):
                state = self._run(node.left, state)
                return state | self._run(node.right, state)
            case c_ast.ArrayRef(name=c_ast.ID(name=self.name)):
                return self._access(self._run(node.subscript, state), _READ)
            case c_ast.ID(name=self.name):
                self.sound = False  # it gets an alias, or is passed to a function
                return state
            case _:
                for child in parts(node):
                    state = self._run(child, state)
                return state

    def _left(self, run: Any, state: State) -> State:
        """Analyse a loop, from any state in which an iteration may begin; or a switch."""
        outer, self.left = self.left, []
        state = fixpoint(lambda s: s | run(s).union(*self.left), state, 2, "reads and writes of a loop")
        self.left = outer
        return state

    def _target(self, place: Any, state: State, *, also_read: bool) -> State:
        match place:
            case c_ast.ArrayRef(name=c_ast.ID(name=self.name)):
                state = self._run(place.subscript, state)
                if also_read:
                    self.seen.add(_READ)
                    self.sound = self.sound and _WRITTEN not in state
                return self._access(state, _WRITTEN)
            case _:
                return self._run(place, state)

    def _access(self, state: State, kind: str) -> State:
        if {_READ, _WRITTEN} - {kind} <= state:
            self.sound = False
        self.seen.add(kind)
        return state | {kind}

    def _mentions(self, node: Any) -> bool:
        if node is None:
            return False
        own = isinstance(node, c_ast.ID) and node.name == self.name
        return own or any(self._mentions(child) for child in parts(node))


def _may_wait(loop: Any) -> bool:
    """Whether values computed in the body of a loop determine its trip count."""
    inside = list(_within(loop.stmt))
    if any(isinstance(part, c_ast.Break | c_ast.Return | c_ast.Goto) for part in inside):
        return True
    if loop.cond is None or any(isinstance(part, c_ast.FuncCall) for part in _within(loop.cond)):
        return True
    return bool(names(loop.cond) & set[str]().union(*map(_changed, inside)))


def _changed(node: Any) -> set[str]:
    match node:
        case c_ast.Decl(name=str() as name):
            return {name}
        case c_ast.Assignment():
            return names(node.lvalue)
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" | "&"):
            return names(node.expr)
        case _:
            return set()


def _within(node: Any) -> Iterator[Any]:
    yield node
    for _, child in node.children():
        yield from _within(child)
