"""What a thread computes, computed for another thread of its block.

    if (i < n)                                   int i_there = blockIdx.x * blockDim.x + q;
        sum += w[i] * g;            ->           if (i_there < n)
                                                     sum += w[i_there] * g_part[q];

What another thread can compute from its position, from parameters, and from memory that the kernel doesn't
write, it computes. Other variables go through shared memory, for PART threads at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ....analysis.atomics import is_drawn
from ....ir import (
    COLLECTIVE,
    UINT,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Binary,
    Body,
    Call,
    Cast,
    Clear,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Pointer,
    Quote,
    Scalar,
    Special,
    Stmt,
    Sym,
    Unary,
    expressions,
    is_integer,
    rebuilt,
    scalar_type,
    walk,
)
from ...common.algebra import converted, rewrite
from ...common.symbol_uses import mapped
from ...common.thread_coordinates import Points, both
from ...common.thread_rows import helper
from ..uniformity import Alike

PART = 128  # threads whose values are in shared memory at a time
VALUES = 8  # the maximum number of values of each thread that go through shared memory


class NotThere(Exception):
    """Another thread can't compute it."""


class Kernel:
    """What is known of a kernel's body."""

    def __init__(self, whole: Body) -> None:
        self.alike = Alike(whole)
        points = Points(whole, "x")
        self.values, self.given, self.changed = points.values, points.given, points.changed


@dataclass
class Other:
    """The statements of a loop's iteration, for the thread `q` of the block.

    `inside`: the loop's own variables, one of them its counter. `names`: new variables for some of them.
    """

    kernel: Kernel
    inside: set[Sym]
    counter: Sym
    names: Mapping[Sym, Sym]
    tiles: dict[Sym, Sym] = field(default_factory=dict)
    there: dict[Sym, Declare] = field(default_factory=dict)  # names that another thread's position gives
    q: Sym = field(default_factory=lambda: Sym("q", UINT))
    first: Sym = field(default_factory=lambda: Sym("first", UINT))

    def simple(self, stmt: Stmt) -> None:
        """Find what a statement reads, which only sets variables of the iteration. Raises NotThere."""
        self.check(expressions(stmt))
        match stmt:
            case Quote() | Comment() | Banner():
                pass
            case Declare(sym) if sym.storage == "local" and isinstance(sym.type, Scalar | Array):
                pass
            case Assign(target) | Clear(target) | Accumulate(target, how="local") if self.own(target.sym):
                pass
            case If(_, then, other):
                for inner in (*then, *other):
                    self.simple(inner)
            case For(init, _, step, body):
                for inner in (*init, *step, *body):
                    self.simple(inner)
            case _:
                raise NotThere

    def own(self, sym: Sym) -> bool:
        return sym in self.inside and sym is not self.counter

    def check(self, exprs: Iterable[Expr]) -> None:
        """Find what expressions read. Raises NotThere."""
        for expr in exprs:
            for part in walk(expr):
                match part:
                    case AddressOf():
                        raise NotThere
                    case Call() if not _pure(part):
                        raise NotThere
                    case Place(sym, index):
                        if isinstance(sym.type, Array) and len(index) != len(sym.type.extents):
                            raise NotThere
                        self.read(sym)
                    case _:
                        pass

    def read(self, sym: Sym) -> None:
        """Find how another thread gets the value of a name. Raises NotThere."""
        kernel = self.kernel
        if sym in self.inside or sym in self.tiles or sym in self.there or kernel.given(sym):
            return
        if sym.storage in ("parameter", "global"):
            if isinstance(sym.type, Scalar) or sym in kernel.changed:
                raise NotThere
            return
        if sym.storage != "local" or not isinstance(sym.type, Scalar | Array):
            raise NotThere
        if kernel.alike.same(Place(sym, (), sym.type)):
            return
        value = kernel.values.get(sym)
        known = value is not None and is_integer(value) and all(map(arithmetic, walk(value)))
        if value is not None and known and not value.symbols & kernel.changed:
            for other in value.symbols:
                self.read(other)
            name = replace(sym, name=f"{sym.plain}_there")
            self.there[sym] = Declare(name, rewrite(value, self.change))
            return
        self.put_down(sym)

    def put_down(self, sym: Sym) -> None:
        """Have every thread's value of a variable in shared memory. Raises NotThere."""
        whole = sym.type if isinstance(sym.type, Array) else Array(scalar_type(sym), ())
        if len(whole.extents) > 1 or whole.element.is_half:
            raise NotThere
        spelled = whole.spelled or tuple(map(str, whole.extents))
        shape = Array(whole.element, (PART, *whole.extents), (str(PART), *spelled))
        self.tiles[sym] = Sym(f"{sym.plain}_part", shape, "shared", of=sym.of)
        if sum(t.type.elements for t in self.tiles.values() if isinstance(t.type, Array)) > VALUES * PART:
            raise NotThere

    # ---- rewritten -----------------------------------------------------------------

    def version(self, stmt: Stmt) -> Stmt:
        """A statement for the other thread."""
        return self._renamed(mapped(stmt, self.change))

    def _renamed(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Declare):
            return replace(stmt, sym=self.names.get(stmt.sym, stmt.sym))
        if isinstance(stmt, For):
            stmt = replace(stmt, init=tuple(map(self._renamed, stmt.init)))
        return rebuilt(stmt, lambda b: tuple(map(self._renamed, b)))

    def change(self, e: Expr) -> Expr | None:
        """What an expression is for the other thread."""
        match e:
            case Special("threadIdx", "x"):
                return Place(self.q, (), UINT)
            case Place(sym, index) if sym in self.tiles:
                cell = both("-", Place(self.q, (), UINT), Place(self.first, (), UINT))
                return Place(self.tiles[sym], (cell, *(rewrite(i, self.change) for i in index)), e.type)
            case Place(sym, ()) if sym in self.there:
                return replace(e, sym=self.there[sym].sym)
            case Place(sym, index) if sym in self.names:
                rest = tuple(rewrite(i, self.change) for i in index)
                return replace(e, sym=self.names[sym], index=rest, spelling=None)
            case _:
                return None

    def everywhere(self, target: Place) -> Place:
        """An element that is the same for all threads, after the iteration. Raises NotThere."""
        index = tuple(rewrite(e, self._resolved) for e in target.index)
        for part in (part for e in index for part in walk(e)):
            match part:
                case Place(sym, at):
                    if at or self.own(sym):
                        raise NotThere
                case Call() | AddressOf():
                    raise NotThere
                case _:
                    pass
        if not self.kernel.alike.same(*index):
            raise NotThere
        return replace(target, index=index)

    def _resolved(self, e: Expr) -> Expr | None:
        """A name that the loop declares, as what it stands for."""
        values = self.kernel.values
        if not isinstance(e, Place) or e.index or not self.own(e.sym) or e.sym not in values:
            return None
        value = rewrite(values[e.sym], self._resolved)
        return converted(value, e.type) if all(map(arithmetic, walk(value))) else None


def arithmetic(e: Expr) -> bool:
    """Whether an integer is made of names and numbers, without loads and without a division by a variable."""
    match e:
        case Binary("/" | "%", _, right):
            return isinstance(right, Const)
        case Place(sym, index):
            return not index and not isinstance(sym.type, Pointer)
        case Const() | Special() | Unary("-") | Binary("+" | "-" | "*") | Cast():
            return is_integer(e)
        case _:
            return False


def _pure(call: Call) -> bool:
    """Whether it is a mathematical function."""
    mine = call.callee is None or helper(call)
    return mine and call.rule not in COLLECTIVE and not is_drawn(call)
