"""Dead code elimination: unread names, branches and loops without statements.

A variable of the tool is removed with all stores to it; a loop that only counts is removed
entirely.
"""

from __future__ import annotations

from dataclasses import replace

from ....fixpoint import rounds
from ....ir import (
    Assign,
    Banner,
    Barrier,
    Body,
    Break,
    Comment,
    Declare,
    DoWhile,
    For,
    If,
    Quote,
    Stmt,
    Switch,
    While,
    bodies,
    holding,
    statements,
)
from ...common.mod_ref import removable
from .dead_stores import dropped, read_in, without_dead_stores, without_unread


def without_own_unread(body: Body) -> Body:
    """Remove unread variables of the tool's, and ends of rows that no loop compares with any more."""
    declared = (s.sym for s in statements(body) if isinstance(s, Declare))
    own = {s for s in declared if removable(s) or (s.origin == "lowering" and s.const)}
    return dropped(body, own - read_in(body))


def without_unused(body: Body) -> Body:
    """Remove unread names, after barriers and loops around them were removed."""
    previous, stmts = -1, list(body)
    for _ in rounds(count(stmts) + 1, "names that nothing reads"):  # each round but the last shrinks it
        if previous == (size := count(stmts)):
            break
        previous = size
        stmts = without_empty(without_dead_stores(without_unread(stmts)))
    return tuple(stmts)


def count(body: list[Stmt] | Body) -> int:
    total = 0
    for stmt in body:
        total += 1 + sum(count(inner) for inner in bodies(stmt))
    return total


def without_empty(body: list[Stmt] | Body) -> list[Stmt]:
    """Remove branches and loops without effect, and quotes without statements."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case If():
                then, other = without_empty(stmt.then), without_empty(stmt.other)
                if not _does(then) and not _does(other):
                    continue
                if not _does(then):
                    from ...common.jumps import negation

                    out.append(If(negation(stmt.cond), tuple(other), (), stmt.span))
                    continue
                if not _does(other):
                    other = []
                out.append(holding(stmt, then, other))
            case For() | While() | DoWhile():
                inner = without_empty(stmt.body)
                if not _does(inner) and isinstance(stmt, For) and _counts_only(stmt):
                    continue
                out.append(holding(stmt, inner))
            case Switch():
                kept = [replace(c, body=tuple(without_empty(c.body))) for c in stmt.cases]
                if kept and kept[-1].labels == (None,) and not _does(_unbroken(kept[-1].body)):
                    kept.pop()
                if any(_does(_unbroken(c.body)) for c in kept):
                    out.append(replace(stmt, cases=tuple(kept)))
            case _:
                out.append(stmt)
    return _quoted(out)


def _counts_only(stmt: For) -> bool:
    """Whether a loop changes nothing but counters of its own: in `++j, ++q` the other may not be one."""
    own = {s.sym for s in stmt.init if isinstance(s, Declare)}
    stepped = all(isinstance(s, Assign) and s.target.sym in own for s in stmt.step)
    return len(own) == len(stmt.init) > 0 and stepped


def _does(body: list[Stmt] | Body) -> bool:
    return any(not isinstance(s, Quote | Comment | Banner) for s in body)


def _unbroken(body: Body) -> Body:
    return body[:-1] if body and isinstance(body[-1], Break) else body


def _same_line(a: Quote, b: Quote) -> bool:
    """Whether two quotes show the same text, for example the arguments of an inlined call."""
    here, there = getattr(a.primal, "span", None), getattr(b.primal, "span", None)
    return here is not None and here == there and not a.note


def _quotes(loop: For | While | DoWhile) -> bool:
    return bool(loop.body) and isinstance(loop.body[0], Quote)


def _quoted(body: list[Stmt]) -> list[Stmt]:
    """Remove quotes followed directly by another quote, unless they have a note or were merged with it."""
    out: list[Stmt] = []
    last: Quote | None = None
    for k, stmt in enumerate(body):
        if isinstance(stmt, Quote):
            again = last is not None and (last.primal is stmt.primal or _same_line(last, stmt))
            if again and not stmt.note and out[-1] is not last:
                continue  # a line's second part, right after its first
            after = next((j for j in range(k + 1, len(body)) if not isinstance(body[j], Barrier)), len(body))
            following = body[after] if after < len(body) else None
            if after > k + 1 and isinstance(following, For | While | DoWhile) and _quotes(following):
                continue  # its statements are gone: the loop is another one's
            owing = isinstance(following, Quote) and (bool(stmt.note) or stmt.merged)
            if following is None or (isinstance(following, Quote | Banner | Break) and not owing):
                continue
            last = stmt
        out.append(stmt)
    return out
