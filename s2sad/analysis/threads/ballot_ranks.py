"""Ranks among the lanes that voted for a condition.

    unsigned m = __ballot_sync(0xffffffff, p);
    int rank = __popc(m & ((1u << lane) - 1u));        how many lanes before this one voted for p
    if (p)
        kept[32 * warp + rank] = v;

L40. Of the lanes of a warp that voted for p, no two have the same number of such lanes before
them. So warp and rank determine the thread, as long as p has the value it had at the vote. Only
ballots outside of loops are considered: there each warp has one mask per ballot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...ir import (
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    Function,
    If,
    Place,
    Scalar,
    Special,
    Stmt,
    Sym,
    Unary,
    all_parts,
    statements,
    walk,
)
from ..constants import FULL, literal
from ..ssa import Versions, operands, targets
from ..ssa_construction import survey
from .warp_uniformity import mask_of


@dataclass(frozen=True)
class Ballots:
    """The ballot of each call that computes a rank, by statement and call, and of each branch on a vote.

    `decided` gives the side of the branch whose threads voted: where the condition holds, or doesn't.
    """

    ranks: dict[tuple[Stmt | None, Call], Stmt] = field(default_factory=dict)
    decided: dict[Stmt, tuple[Stmt, bool]] = field(default_factory=dict)


def ballots(kernel: Function) -> Ballots:
    """Find the ranks and the branches on votes in a kernel in tail form with one-dimensional blocks."""
    names = {e.name for e in all_parts(*kernel.body) if isinstance(e, Call)}
    if not {"__ballot_sync", "__popc"} <= names:
        return Ballots()
    return _Finder(kernel, survey(kernel)).found()


class _Finder:
    def __init__(self, kernel: Function, versions: Versions) -> None:
        self.v = versions
        self.stored = {t.sym for s in statements(kernel.body) for t in targets(s)}
        self.votes = {s: vote for s in versions.order if (vote := self._vote(s)) is not None}

    def found(self) -> Ballots:
        """Return the result of `ballots`."""
        made = Ballots()
        for stmt in self.v.order:
            for call in _counts(stmt):
                if (ballot := self._ballot_of(stmt, call)) is not None:
                    made.ranks[stmt, call] = ballot
            if isinstance(stmt, If):
                cond, holds = _plain(stmt.cond), True
                while isinstance(cond, Unary) and cond.op == "!":
                    cond, holds = _plain(cond.arg), not holds
                for ballot, vote in self.votes.items():
                    if cond == vote and self._same(stmt, ballot, vote):
                        made.decided[stmt] = ballot, holds
        return made

    def _vote(self, stmt: Stmt) -> Expr | None:
        """Return the condition voted on by full warps in a statement that stores the mask, once."""
        match stmt:
            case Declare(_, Call(name="__ballot_sync") as call) | Assign(
                _, Call(name="__ballot_sync") as call, None
            ):
                pass
            case _:
                return None
        if self.v.scope_of[stmt].looped or mask_of(self.v, stmt, call) != FULL:
            return None
        return _plain(call.args[1])

    def _same(self, stmt: Stmt, ballot: Stmt, vote: Expr) -> bool:
        """Whether a condition has the same value at a statement as at the ballot."""
        for part in walk(vote):
            match part:
                case Call():
                    return False
                case Place(sym, index) if index and sym in self.stored:
                    return False
                case Place(sym, ()) if self._version(stmt, sym) is not self._version(ballot, sym):
                    return False
        return self.v.order[stmt] > self.v.order[ballot]

    def _version(self, stmt: Stmt, sym: Sym) -> object:
        return self.v.read(stmt, sym)

    def _ballot_of(self, stmt: Stmt, call: Call) -> Stmt | None:
        """Return the ballot whose mask a call counts the bits of, below the lane's own bit."""
        at, arg = self._meant(stmt, call.args[0])
        if not isinstance(arg, Binary) or arg.op != "&":
            return None
        for mask, below in ((arg.left, arg.right), (arg.right, arg.left)):
            if self._is_below(at, below) and (ballot := self._ballot(at, mask)) is not None:
                return ballot
        return None

    def _ballot(self, stmt: Stmt, mask: Expr) -> Stmt | None:
        mask = _plain(mask)
        if not isinstance(mask, Place) or mask.index:
            return None
        version = self.v.read(stmt, mask.sym)
        made = version.stmt if version is not None and version.kind == "def" else None
        return made if made in self.votes else None

    def _is_below(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an expression is `(1 << lane) - 1`."""
        at, expr = self._meant(stmt, expr)
        match expr:
            case Binary("-", left, right) if literal(right) == 1:
                at, shifted = self._meant(at, left)
                match shifted:
                    case Binary("<<", one, lane) if literal(one) == 1:
                        return self._is_lane(at, lane)
        return False

    def _is_lane(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an expression is the lane number: `threadIdx.x & 31`, `threadIdx.x % 32`."""
        at, expr = self._meant(stmt, expr)
        match expr:
            case Binary("&", thread, number) if literal(number) == 31:
                pass
            case Binary("%", thread, number) if literal(number) == 32:
                pass
            case _:
                return False
        _, thread = self._meant(at, thread)
        return isinstance(thread, Special) and (thread.name, thread.axis) == ("threadIdx", "x")

    def _meant(self, stmt: Stmt, expr: Expr) -> tuple[Stmt, Expr]:
        """Follow a variable to its unique definition, and the statement of that."""
        return self.v.followed(stmt, expr, _plain)


def _counts(stmt: Stmt) -> Iterator[Call]:
    """Yield the calls in a statement that count bits."""
    for top in operands(stmt):
        for part in walk(top):
            if isinstance(part, Call) and part.name == "__popc":
                yield part


def _plain(expr: Expr) -> Expr:
    """Strip conversions that don't matter: between integers, and from truth values to integers."""
    while isinstance(expr, Cast) and _is_whole(expr.type) and _is_whole(expr.arg.type):
        expr = expr.arg
    match expr:
        case Binary("!=", arg, Const(0)) if getattr(arg.type, "kind", "") == "bool":
            return _plain(arg)
        case _:
            return expr


def _is_whole(type: object) -> bool:
    return isinstance(type, Scalar) and (type.kind == "bool" or (type.is_integer and type.size >= 4))
