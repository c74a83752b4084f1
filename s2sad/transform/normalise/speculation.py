"""What returned threads compute together with the others, so that they reach the same barriers.

    for (int k = 0; k < 6; ++k) {                   for (int k = 0; k < 6; ++k) {
        float v = s[t];                                 float v;
        if (!__syncthreads_or(v > 1.0f))                if (here)
            break;                          ->              v = s[t];
        s[t] = v * v;                                   if (!__syncthreads_or(here && v > 1.0f))
        __syncthreads();                                    break;
    }                                                   if (here)
                                                            s[t] = v * v;
                                                        __syncthreads();
                                                    }

A variable is computed by all threads if each statement that sets it is a block vote or uses only
such variables, sizes and positions, and is only under conditions of that kind. The only memory
read for it is shared elements with a constant index: any other index may be out of bounds in a
returned thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...analysis.ssa import loads, operands, scalars, targets
from ...analysis.threads.barrier_intervals import holds_barrier
from ...fixpoint import fixpoint
from ...ir import (
    BOOL,
    INT,
    Binary,
    Body,
    Break,
    Call,
    Cast,
    Const,
    Continue,
    Declare,
    DoWhile,
    Expr,
    For,
    If,
    Place,
    Return,
    Scalar,
    Stmt,
    Sym,
    Unary,
    While,
    bodies,
    collective,
    is_integer,
    scalar_type,
    statements,
    unconverted,
    walk,
)
from ..common.jumps import any_has

Exits = (Break, Continue, Return)


def block_vote(stmt: Stmt) -> Call | None:
    """The block-wide vote that a statement is, or None."""
    call = collective(stmt)
    return call if call is not None and call.name.startswith("__syncthreads") else None


def voted(call: Call, here: Expr) -> Call:
    """The vote with threads that aren't `here` contributing the neutral value."""
    (asked,) = call.args
    truth = unconverted(asked)
    if truth.type != BOOL:
        truth = Binary("!=", asked, Const(0, scalar_type(asked)), BOOL)
    if call.name == "__syncthreads_and":
        both: Expr = Binary("||", Unary("!", here, BOOL), truth, BOOL)
    else:
        both = Binary("&&", here, truth, BOOL)
    return Call(
        call.name,
        (Cast(both, INT, implicit=True),),
        call.type,
        call.rule,
        call.callee,
        call.span,
        origin=call.origin,
    )


@dataclass
class _Writes:
    """The statements that set each variable, with the conditions they are under."""

    of: dict[Sym, list[tuple[Stmt, tuple[Expr, ...]]]] = field(default_factory=dict)
    decisive: set[Sym] = field(default_factory=set)  # decide which threads reach a barrier, how often

    def look(self, body: Body, under: tuple[Expr, ...]) -> None:
        for stmt in body:
            for target in targets(stmt):
                if not target.index:
                    self.of.setdefault(target.sym, []).append((stmt, under))
            if isinstance(stmt, Declare):
                self.of.setdefault(stmt.sym, [])
            conds = operands(stmt) if bodies(stmt) else ()
            if conds and (holds_barrier(stmt) or (isinstance(stmt, If) and leaves(stmt))):
                self.decisive.update(s for c in conds for s in scalars(c))
            if block_vote(stmt) is not None:
                self.decisive.update(t.sym for t in targets(stmt))
            for inner in bodies(stmt):
                self.look(inner, (*under, *conds))


def leaves(stmt: If) -> bool:
    return any(any_has(body, kind) for body in (stmt.then, stmt.other) for kind in Exits)


def everyones(body: Body) -> frozenset[Sym]:
    """The variables that control barriers and that all threads, returned or not, can compute."""
    writes = _Writes()
    writes.look(body, ())

    def needed(found: frozenset[Sym]) -> frozenset[Sym]:
        made = [one for sym in found for one in writes.of.get(sym, ())]
        return found.union(s for stmt, under in made for e in (*_value(stmt), *under) for s in scalars(e))

    def kept(found: frozenset[Sym]) -> frozenset[Sym]:
        def known(e: Expr) -> bool:
            return plain(e) and all(s in found or s not in writes.of for s in scalars(e))

        return frozenset(
            sym
            for sym in found
            if all(all(map(known, (*under, *_value(stmt)))) for stmt, under in writes.of[sym])
        )

    height = len(writes.of)
    wanted = fixpoint(needed, frozenset(writes.decisive), height, "what says who meets")
    own = frozenset(s for s in wanted if s in writes.of and isinstance(s.type, Scalar))
    return fixpoint(kept, own, height, "what everyone computes")


def _value(stmt: Stmt) -> tuple[Expr, ...]:
    """The operands that a variable is set from, including itself where it is updated."""
    return () if block_vote(stmt) is not None else operands(stmt)


def plain(expr: Expr) -> bool:
    """Whether any thread may evaluate an expression: valid reads, no calls, no division by unknowns."""
    if not all(of_block(place) for place in loads(expr)):
        return False
    return not any(isinstance(e, Call) or (isinstance(e, Binary) and hazard(e)) for e in walk(expr))


def of_block(place: Place) -> bool:
    """Whether a place is a shared element with constant indices, valid for every thread of the block."""
    return place.sym.storage == "shared" and all(isinstance(e, Const) for e in place.index)


def hazard(e: Binary) -> bool:
    """Whether an integer division may be by zero in a returned thread."""
    whole = is_integer(e)
    return whole and e.op in ("/", "%") and not isinstance(e.right, Const)


def sets(stmt: Stmt, syms: frozenset[Sym]) -> bool:
    """Whether a statement or a nested one sets any of these variables."""
    return any(t.sym in syms for s in statements((stmt,)) for t in targets(s))


def may_not_end(stmts: Body) -> bool:
    """Whether a loop with barriers might run forever once no active thread is left to end it."""
    return any(_open(s) and holds_barrier(s) for s in statements(stmts))


def asks_memory(stmt: Stmt) -> bool:
    """Whether memory reads decide which threads reach a barrier, or leave, in a statement."""
    decisive = (s for s in statements((stmt,)) if holds_barrier(s) or (isinstance(s, If) and leaves(s)))
    return any(True for s in decisive if bodies(s) for cond in operands(s) for _ in loads(cond))


def _open(stmt: Stmt) -> bool:
    match stmt:
        case For():
            return stmt.cond is None or not stmt.step
        case While() | DoWhile():
            return True
        case _:
            return False
