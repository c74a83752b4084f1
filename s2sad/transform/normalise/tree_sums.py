"""Recognise block-wide sums made by a tree in shared memory: one value, uniform in the block.

    part[t] = v;                                       own_part = v;
    __syncthreads();                                   __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {      part_0 = block_sum(own_part);
        if (t < d)                                ->
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];               if (t == 0) y[blockIdx.x] = part_0;

The adjoint of such a sum is again one sum, or one thread's adjoint broadcast to all; the tree
isn't reversed. The conditions (otherwise the general reversal applies):

* Between a plain `part[t] = v` that every thread runs and the next one, each thread accesses
  only its own element, t being threadIdx.x; after the tree, only `part[0]` is read.
* The tree adds each thread's element exactly once. Its strides halve from half the block
  size down to 1. If they start at blockDim.x / 2, the block size must be a power of two,
  which is checked when the adjoint starts. If they start at a literal, it must be half of the
  array: as each thread stores only to its own element, a larger block would exceed the
  array, and in a smaller one the tree would read elements that no thread stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...analysis.constants import bare, is_named, literal
from ...analysis.threads.barrier_intervals import holds_barrier
from ...ir import (
    DOUBLE,
    FLOAT,
    INT,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Body,
    Call,
    Const,
    Declare,
    Expr,
    For,
    Function,
    If,
    Place,
    Special,
    Stmt,
    Sym,
    all_parts,
    bodies,
    rebuilt,
    statements,
    unconverted,
    without,
)
from ..common.adjoint_names import element_name
from ..common.symbol_uses import mapped, used
from ..common.thread_ownership import Own

SUM = "__syncthreads_sum"
"""The internal name of the block sum until it is emitted: a collective and a barrier."""
EXTREMES = {"fmax": "maximum", "fmin": "minimum"}
"""The reduction of a block that a tree of a function's calls makes, by the function's rule."""


def reduced(value: Expr, rule: str) -> Call:
    """One of BLOCK_REDUCTIONS of a value; every thread of the block must call it."""
    return Call(f"__syncthreads_{rule}", (value,), value.type, rule=rule)


def summed(value: Expr) -> Call:
    """The block-wide sum of a value; every thread of the block must call it."""
    return reduced(value, "sum")


def is_sum(expr: object) -> bool:
    return isinstance(expr, Call) and expr.rule == "sum"


@dataclass(frozen=True)
class Trees:
    """A function with block sums for its trees.

    `threads`: the block size, if a literal gives it; `halved`: no literal does, and it is assumed
    to be a power of two; `whole_warps`: it is assumed to be a multiple of the warp size;
    `rows`: blocks are rows, though nothing in the function says so.
    """

    function: Function
    threads: int = 0
    halved: bool = False
    whole_warps: bool = False
    rows: bool = False


def with_block_sums(function: Function) -> Trees:
    """Replace each tree that is a block sum; for functions whose blocks are rows of threads."""
    made = reductions(function.body, frozenset({"sum"}))
    if made is None:
        return Trees(function)
    body = made.without_needless(made.made)
    return Trees(replace(function, body=body), made.threads, not made.threads)


@dataclass(frozen=True)
class Tree:
    """`for (d = start; d > 0; d /= 2)`, where thread t adds element t + d to element t of each array.

    `rule`: the reduction. Instead of adding, threads may take the larger or the smaller of the two.
    """

    arrays: tuple[Sym, ...]
    index: Expr
    start: Expr
    rule: str


def _tree(stmt: Stmt) -> Tree | None:
    match stmt:
        case For((Declare(d, start),), cond, (Assign(Place(stepped, ()), by, op),), body) if (
            stepped is d
            and isinstance(start, Expr)
            and cond is not None
            and _halves(op, by)
            and _positive(cond, d)
        ):
            pass
        case _:
            return None
    inner = [s for s in body if not (isinstance(s, Barrier) and not s.warp)]
    match inner:
        case [If(Binary("<", index, limit), then, ())] if is_named(limit, d) and len(inner) < len(body):
            pass
        case _:
            return None
    found = [_combined(s, index, d) for s in then]
    arrays = tuple(one[0] for one in found if one is not None)
    rules = {one[1] for one in found if one is not None}
    if len(rules) != 1 or len(arrays) < len(found) or len(set(arrays)) < len(arrays):
        return None
    return Tree(arrays, index, start, rules.pop())


def _halves(op: str | None, by: Expr) -> bool:
    return (op, literal(by)) in (("/=", 2), (">>=", 1))


def _positive(cond: Expr, d: Sym) -> bool:
    match unconverted(cond):
        case Binary(op, left, right) if is_named(left, d):
            return (op, literal(right)) in ((">", 0), (">=", 1), ("!=", 0))
        case counter:
            return is_named(counter, d)


def _combined(stmt: Stmt, index: Expr, d: Sym) -> tuple[Sym, str] | None:
    """The array of `a[t] += a[t + d]` or `a[t] = fmaxf(a[t], a[t + d])`, and the reduction."""
    match stmt:
        case Assign(Place(sym, (at,)) as target, value, op):
            pass
        case _:
            return None
    terms: tuple[Expr, ...] = (value,)
    rule = "sum"
    match value:
        case Binary("+", left, right) if op is None:
            terms = tuple(e for e in (left, right) if e != target)
        case Call(args=(left, right)) if op is None and value.rule in EXTREMES:
            terms = tuple(e for e in (left, right) if e != target)
            rule = EXTREMES[value.rule]
        case _ if op != "+=":
            return None
        case _:
            pass
    match terms:
        case (Place(other, (there,)),) if other is sym and sym.storage == "shared":
            pass
        case _:
            return None
    own, far = bare(at), bare(there)
    match far:
        case Binary("+", one, two) if (bare(one) == own and is_named(two, d)) or (
            bare(two) == own and is_named(one, d)
        ):
            return (sym, rule) if own == bare(index) else None
        case _:
            return None


def reductions(body: Body, rules: frozenset[str]) -> Reductions | None:
    """A body with such reductions for its trees; None if it has none."""
    if not any((tree := _tree(s)) is not None and tree.rule in rules for s in statements(body)):
        return None
    made = Reductions(body, rules, Own(body, 1))
    made.made = made.body(body, True)
    return made if made.stores else None


@dataclass
class Reductions:
    """`made`: the body `whole` with such reductions; `threads`: the block size, if a literal gives it."""

    whole: Body
    rules: frozenset[str]
    own: Own
    threads: int = 0
    stores: list[Assign] = field(default_factory=list)  # of what each thread contributes
    made: Body = ()

    def body(self, body: Body, root: bool) -> Body:
        """A body, with nested ones, with its trees replaced."""
        stmts = list(body)
        for tree in [s for s in body if (found := _tree(s)) is not None and found.rule in self.rules]:
            stmts = self.replaced(stmts, body, tree, root) or stmts
        return tuple(
            rebuilt(s, lambda b: self.body(b, False)) if bodies(s) and holds_barrier(s) else s for s in stmts
        )

    # ---- one tree ------------------------------------------------------------

    def replaced(self, stmts: list[Stmt], body: Body, loop: Stmt, root: bool) -> list[Stmt] | None:
        """The body with block sums for a tree; None if it isn't one."""
        tree = _tree(loop)
        assert tree is not None
        at = next(k for k, s in enumerate(stmts) if s is loop)
        if not self.mine(tree.index):
            return None
        everywhere = [sym for sym in tree.arrays if root or self.inside(body, sym)]
        if len(everywhere) < len(tree.arrays):
            return None
        stretches = [self.stretch(stmts, at, sym, tree, root) for sym in tree.arrays]
        if None in stretches:
            return None
        sums: list[Stmt] = []
        own_first: dict[int, list[Stmt]] = {}
        out = list(stmts)
        for sym, stretch in zip(tree.arrays, stretches, strict=True):
            assert stretch is not None
            first, last = stretch
            assert isinstance(sym.type, Array)
            own = Place(Sym(f"own_{sym.name}", sym.type.element), (), sym.type.element)
            first_name = element_name(sym.plain, Place(sym, (Const(0, INT),), sym.type.element))
            total = Place(Sym(first_name, sym.type.element), (), sym.type.element)
            kill = out[first]
            assert isinstance(kill, Assign)
            out[first + 1 : at] = [_with(s, sym, own) for s in out[first + 1 : at]]
            out[at + 1 : last] = [_with(s, sym, total) for s in out[at + 1 : last]]
            sums.append(Declare(total.sym, reduced(own, tree.rule), getattr(loop, "span", None)))
            store = replace(kill, value=own)
            own_first[first] = [Declare(own.sym, kill.value, kill.span), store]
            self.stores.append(store)
        made = {k: [s] for k, s in enumerate(out)} | own_first | {at: [*sums, Barrier()]}
        self.threads = self.threads or 2 * (literal(bare(self.own.resolved(tree.start))) or 0)
        return [s for k in range(len(out)) for s in made[k]]

    def without_needless(self, body: Body) -> Body:
        """Remove the stores to arrays that are otherwise used; keep one store of each unused array.

        The kept store proves the launch's extent (`analysis.access.global_access`); it is never run.
        """
        stays: set[Sym] = set()
        gone: set[Stmt] = set()
        for store in self.stores:
            sym = store.target.sym
            own = sum(s.target.sym is sym for s in self.stores)
            if sym in stays or sum(_times(s, sym) for s in body) > own:
                gone.add(store)
            stays.add(sym)
        return without(body, gone)

    def mine(self, index: Expr) -> bool:
        return self.own.resolved(index) == Special("threadIdx", "x")

    def stretch(self, stmts: list[Stmt], at: int, sym: Sym, tree: Tree, root: bool) -> tuple[int, int] | None:
        """From the store that all threads make before a tree to the next one, if nothing else accesses it."""
        if (
            not isinstance(sym.type, Array)
            or len(sym.type.extents) != 1
            or sym.type.element not in (FLOAT, DOUBLE)
        ):
            return None
        kills = [k for k, s in enumerate(stmts) if self.kills(s, sym)]
        first = max((k for k in kills if k < at), default=None)
        if first is None:
            return None
        last = min((k for k in kills if k > at), default=len(stmts))
        if not root and any(sym in used(s) for s in stmts[: kills[0]]):
            return None  # an iteration might read the previous one's element
        if not all(self.own_alone(s, sym) for s in stmts[first + 1 : at]):
            return None
        if not all(self.first_alone(s, sym) for s in stmts[at + 1 : last]):
            return None
        return (first, last) if self.covers(tree.start, sym) else None

    def kills(self, stmt: Stmt, sym: Sym) -> bool:
        """Whether each thread sets its own element regardless of the old value."""
        match stmt:
            case Assign(Place(target, (index,)), value, None):
                return target is sym and self.mine(index) and sym not in value.symbols
            case _:
                return False

    def inside(self, stmts: Body, sym: Sym) -> bool:
        """Whether an array is mentioned only in these statements."""
        every = sum(_times(s, sym) for s in self.whole)
        return every == sum(_times(s, sym) for s in stmts)

    def own_alone(self, stmt: Stmt, sym: Sym) -> bool:
        return all(self.mine(p.index[0]) for p in _places(stmt, sym)) and not _passed(stmt, sym)

    def first_alone(self, stmt: Stmt, sym: Sym) -> bool:
        """Whether a statement accesses at most the first element, and only reads it."""
        stored = any(isinstance(s, Assign) and s.target.sym is sym for s in statements((stmt,)))
        zero = all(literal(p.index[0]) == 0 for p in _places(stmt, sym))
        return zero and not stored and not _passed(stmt, sym)

    def covers(self, start: Expr, sym: Sym) -> bool:
        """Whether a tree adds every thread's element exactly once."""
        half = bare(self.own.resolved(start))
        match half:
            case Binary("/" | ">>" as op, size, by):
                counted = self.own.resolved(bare(size)) == Special("blockDim", "x")
                if counted and literal(by) == (2 if op == "/" else 1):
                    return True
            case _:
                pass
        number = literal(half)
        if number is None or number < 1 or number & (number - 1):
            return False
        assert isinstance(sym.type, Array)
        return sym.type.extents == (2 * number,) and self.stored_by_owners(sym)

    def stored_by_owners(self, sym: Sym) -> bool:
        """Whether every thread stores only to its own element."""
        for stmt in statements(self.whole):
            if _passed(stmt, sym):
                return False
            if isinstance(stmt, Assign) and stmt.target.sym is sym and not self.mine(stmt.target.index[0]):
                return False
        return True


# ---- mentions of an array -----------------------------------------------------------


def _places(stmt: Stmt, sym: Sym) -> Iterator[Place]:
    """Every element of an array mentioned in a statement or a nested one."""
    return (e for e in all_parts(stmt) if isinstance(e, Place) and e.sym is sym and e.index)


def _times(stmt: Stmt, sym: Sym) -> int:
    """How often a statement mentions an array, its declaration not counted."""
    return sum(isinstance(e, Place) and e.sym is sym for e in all_parts(stmt))


def _passed(stmt: Stmt, sym: Sym) -> bool:
    """Whether an array is used as a whole, or an element's address is taken."""
    for e in all_parts(stmt):
        match e:
            case Place(named, ()) | AddressOf(Place(named)) if named is sym:
                return True
            case _:
                pass
    return False


def _with(stmt: Stmt, sym: Sym, value: Place) -> Stmt:
    """A statement, with nested ones, with the elements of an array replaced by a variable."""

    def change(e: Expr) -> Expr | None:
        return value if isinstance(e, Place) and e.sym is sym and e.index else None

    return mapped(stmt, change)
