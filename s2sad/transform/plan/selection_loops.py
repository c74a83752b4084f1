"""Split selections from the loops that search: only the iteration that wins has a derivative.

    for (int k = 0; k < K; ++k) {              int best_k = -1;
        float d = distance(x, c[k]);           float best_so_far = best;
        if (d < best)                          for (int k = 0; k < K; ++k) {
            best = d;                 ->           float d = distance(x, c[k]);
    }                                              if (d < best_so_far) {
                                                       best_so_far = d;
                                                       best_k = k;
                                                   }
                                               }
                                               if (best_k >= 0) {
                                                   float d = distance(x, c[best_k]);
                                                   best = d;
                                               }

What the loop selects is set in one place, under a condition or by `fmaxf`, `fminf` or `?:`, from values of
that iteration. The loop reads it in conditions only, stores nothing else, and carries integers from one
iteration to the next. Then the result is a function of the winning iteration alone, and the search needs
neither a tape nor a reverse sweep: comparisons have no derivative, so nothing in the search is active after
the split. Loops around the place where it is set are one search: `for (i…) for (j…) if (…) best = …;`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...analysis.activity import is_real
from ...analysis.loops.counted_loops import Positive, counter
from ...analysis.ssa import Loop, operands, scalars, targets
from ...ir import (
    BOOL,
    INT,
    Array,
    Assign,
    Binary,
    Block,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Select,
    Special,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    collective,
    expressions,
    is_integer,
    rebuilt,
    scalar_type,
    statements,
    substituted,
    walk,
)
from ..common.mod_ref import sets
from ..common.symbol_uses import mapped, renaming
from ..normalise.unique_declarations import copied
from .facts import Amend, Facts
from .rewritten_loops import Rewritten

EXTREMES = {"fmax": ">", "fmin": "<"}
"""The comparison by which a function's second argument beats its first; at a tie the first stays."""

FEW = 8
"""Loops with so few iterations are unrolled; a selected index would move local arrays out of registers."""

_COMPUTING = (Declare, Assign, If, For, While, DoWhile, Block, Switch)


@dataclass(frozen=True)
class Choice:
    """What `best = fmaxf(best, v)` and `best = v > best ? v : best` decide: the condition, and the new value.

    `rival` is a name for the value, if the condition needs one.
    """

    test: Expr
    value: Expr
    rival: Sym | None = None


@dataclass(frozen=True)
class Selection:
    """A loop that selects values.

    `path` leads from the loop's body to `home`, the body that sets them: each body with the position of the
    branch or loop that holds the next one. `sets` are the assignments. `restart` are the integers that
    determine an iteration, in the order of the loops; `outer` are all variables that the loop shares with
    its surroundings. `choice` is what the assignment itself decides, if it does. `before` are constants
    that the variables hold.
    """

    loop: Loop
    path: tuple[tuple[Body, int], ...]
    home: Body
    sets: Mapping[Sym, Assign]
    restart: tuple[Sym, ...]
    outer: frozenset[Sym]
    choice: Choice | None = None
    before: Mapping[Sym, Expr] = field(default_factory=dict)

    @property
    def first(self) -> Sym:
        """The variable that names the others."""
        return next(iter(self.sets))

    @property
    def asked(self) -> tuple[Expr, ...]:
        """The conditions that lead to `home`, and those of the loops."""
        heads = (self.loop, *(body[k] for body, k in self.path))
        return tuple(expr for stmt in heads for expr in expressions(stmt))


def with_winners(
    function: Function, examine: Callable[[Function, Amend | None], Facts]
) -> tuple[Function, tuple[Rewritten, ...]]:
    """The function with each selection of active values after its loop, and a record of each."""
    found = list(_selections(function.body, {}))
    if not found:
        return function, ()
    ever = examine(function, None).activity.ever
    by_loop: dict[Stmt, Selection] = {s.loop: s for s in found if not ever.keys().isdisjoint(s.sets)}
    if not by_loop:
        return function, ()
    return replace(function, body=_split(function.body, by_loop)), tuple(map(_told, by_loop.values()))


def _told(s: Selection) -> Rewritten:
    names = tuple(f"{s.first.plain}_{sym.plain}" for sym in s.restart) or (f"{s.first.plain}_found",)
    return Rewritten(s.loop, tuple(sym.name for sym in s.sets), names)


# ---- which loops ---------------------------------------------------------------


def _selections(body: Body, known: Mapping[Sym, Expr]) -> Iterator[Selection]:
    """Yield the outermost selections. `known`: the values that variables have before the body."""
    values = dict(known)
    for stmt in body:
        found = selection(stmt, values) if isinstance(stmt, For | While | DoWhile) else None
        if found is not None:
            yield found
        else:
            within = {} if isinstance(stmt, For | While | DoWhile) else values
            for inner in bodies(stmt):
                yield from _selections(inner, within)
        for sym in sets(stmt):
            values.pop(sym, None)
        match stmt:
            case Declare(sym, init) if init is not None and not isinstance(init, Initialiser):
                values[sym] = init
            case Assign(Place(sym, ()), value, None):
                values[sym] = value
            case _:
                pass


def selection(loop: Loop, known: Mapping[Sym, Expr]) -> Selection | None:
    """What a loop selects; None if it does anything else."""
    inside = list(statements((*loop.body, *_step(loop))))
    if not all(map(_computes, inside)) or _short(loop, inside):
        return None
    own = {s.sym for s in statements((loop,)) if isinstance(s, Declare)}
    changed = [(t.sym, s) for s in inside for t in targets(s) if t.sym not in own]
    if any(isinstance(sym.type, Array | Pointer) for sym, _ in changed):
        return None
    if any(not isinstance(s, Assign) or s.target.sym is not sym for sym, s in changed):
        return None  # something that a call sets: `frexpf(v, &e)`
    sets = {sym: s for sym, s in changed if is_real(sym.type) and isinstance(s, Assign) and s.op is None}
    if not sets or sum(is_real(sym.type) for sym, _ in changed) != len(sets):
        return None  # nothing, or something that is set twice or updated
    found = _path(loop.body, frozenset(sets.values()))
    if found is None:
        return None
    path, home = found
    choice = _choice(sets, known)
    if choice is None and not any(isinstance(body[k], If) for body, k in path):
        return None
    outer = frozenset(sym for sym, _ in changed)
    constants = {sym: known[sym] for sym in sets if isinstance(known.get(sym), Const)}
    one = Selection(loop, path, home, sets, (), outer, choice, constants)
    restart = _restart(one)
    return None if restart is None or _reads_otherwise(one, inside) else replace(one, restart=restart)


def _short(loop: Loop, inside: Sequence[Stmt]) -> bool:
    """Whether a loop has a small constant trip count."""
    if not isinstance(loop, For):
        return False
    found = counter(loop, {t.sym for s in inside for t in targets(s)}, Positive())
    return found is not None and found.trips is not None and found.trips <= FEW


def _step(loop: Loop) -> Body:
    return loop.step if isinstance(loop, For) else ()


def _computes(stmt: Stmt) -> bool:
    """Whether a statement only computes, so that it may run again with the same result."""
    if not isinstance(stmt, _COMPUTING) or collective(stmt) is not None:
        return False
    return not any(
        isinstance(e, Call)
        and e.callee is not None
        and any(isinstance(a.type, Array | Pointer) for a in e.args)
        for whole in expressions(stmt)
        for e in walk(whole)
    )


def _path(body: Body, sets: Collection[Stmt]) -> tuple[tuple[tuple[Body, int], ...], Body] | None:
    """The way to the body that has all of these assignments, through branches and loops."""
    if any(s in sets for s in body):
        inner = sum(s in sets for s in body)
        return ((), body) if inner == len(sets) else None
    holding = [(k, b) for k, s in enumerate(body) for b in bodies(s) if any(i in sets for i in statements(b))]
    if len(holding) != 1:
        return None
    ((k, inside),) = holding
    if not isinstance(body[k], If | Block | For | While | DoWhile):
        return None
    found = _path(inside, sets)
    return None if found is None else (((body, k), *found[0]), found[1])


def _choice(sets: Mapping[Sym, Assign], known: Mapping[Sym, Expr]) -> Choice | None:
    """What the assignment decides; of `fmaxf` if the variable isn't NaN before: a comparison keeps NaN."""
    ((sym, stmt), *others) = sets.items()
    if others:
        return None
    place, value = Place(sym, (), sym.type), stmt.value
    match value:
        case Call(_, (one, two), rule=rule) if rule in EXTREMES and _is_number(known.get(sym)):
            rival = Sym(f"{sym.plain}_rival", sym.type)
            by = Place(rival, (), sym.type)
            if one == place:
                return Choice(Binary(EXTREMES[rule], by, place, BOOL), two, rival)
            if two == place:
                return Choice(Binary(EXTREMES[rule] + "=", by, place, BOOL), one, rival)
        case Select(cond, then, other) if other == place:
            return Choice(cond, then)
        case Select(cond, then, other) if then == place:
            return Choice(Unary("!", cond, BOOL), other)
        case _:
            pass
    return None


def _is_number(value: Expr | None) -> bool:
    """Whether a value is a constant other than NaN; infinity is one."""
    match value:
        case Const(number):
            return number == number
        case Unary("-", arg) | Cast(arg):
            return _is_number(arg)
        case Binary("/", Const(top), Const(0)):  # as some headers define INFINITY
            return top != 0
        case _:
            return False


def _restart(s: Selection) -> tuple[Sym, ...] | None:
    """The variables that the winning iteration begins with; None if that can't be told.

    They are integers that the loops on the path carry. An iteration must not change them before it decides,
    and what comes before an inner loop must not read what that loop changes: it saw another value. In `home`
    they are told before the first change, unless the assignment itself decides.
    """
    read = {sym for stmt in statements(_winning(s)) for expr in operands(stmt) for sym in scalars(expr)}
    found: list[Sym] = []
    home, behind = s.home[: _end(s)], s.home[_end(s) :]
    levels = [(s.loop, s.path, ())]
    levels += [
        (body[k], s.path[n + 1 :], tuple(stmt for b, k in s.path[: n + 1] for stmt in b[:k]))  # type: ignore[misc]
        for n, (body, k) in enumerate(s.path)
        if isinstance(body[k], For | While | DoWhile)
    ]
    for loop, path, before in levels:
        late = {*statements(_step(loop)), *statements(_after(path)), *statements(behind)}
        if s.choice is None:
            late |= {*statements(home)}
        inner = {i.sym for i in statements(loop.body) if isinstance(i, Declare)}
        for stmt in statements((*loop.body, *_step(loop))):
            for target in targets(stmt):
                sym = target.sym
                if sym in inner or sym in s.sets:
                    continue
                if target.index or is_real(sym.type):
                    return None
                if sym not in read:
                    continue
                if stmt not in late or _read_in(before, sym):
                    return None
                if stmt in statements(home) and _read_in(home, sym):
                    return None
                found.append(sym)
    return tuple(dict.fromkeys(found))


def _end(s: Selection) -> int:
    """The position in `home` behind the last assignment."""
    sets = set(s.sets.values())
    return max(k for k, stmt in enumerate(s.home) if stmt in sets) + 1


def _read_in(body: Body, sym: Sym) -> bool:
    return any(sym in scalars(expr) for stmt in statements(body) for expr in operands(stmt))


def _after(path: Sequence[tuple[Body, int]]) -> Body:
    """What follows the decision in its iteration."""
    return tuple(s for body, k in path for s in body[k + 1 :])


def _reads_otherwise(s: Selection, inside: Sequence[Stmt]) -> bool:
    """Whether the loop reads what it selects, but in the conditions that lead to the selection."""
    heads = {s.loop, *(body[k] for body, k in s.path)}
    if s.choice is not None:
        if any(sym in scalars(s.choice.value) for sym in s.sets):
            return True
        heads |= set(s.sets.values())
    return any(
        sym in s.sets
        for stmt in inside
        if stmt not in heads
        for expr in operands(stmt)
        for sym in scalars(expr)
    )


# ---- splitting -----------------------------------------------------------------


def _split(body: Body, by_loop: Mapping[Stmt, Selection]) -> Body:
    out: list[Stmt] = []
    for stmt in body:
        found = by_loop.get(stmt)
        if found is None:
            out.append(rebuilt(stmt, lambda b: _split(b, by_loop)))
        else:
            out += _parted(found)
    return tuple(out)


def _parted(s: Selection) -> list[Stmt]:
    """The search, and then the winner's iteration."""
    span = s.loop.span
    compared = {
        sym: Sym(f"{sym.plain}_so_far", sym.type)
        for sym in s.sets
        if s.choice is not None or any(sym in scalars(e) for e in s.asked)
    }
    winner = {sym: Sym(f"{s.first.plain}_{sym.plain}", sym.type) for sym in s.restart}
    mark = next((sym for sym in s.restart if _is_never_negative(s, sym)), None)
    flag = winner[mark] if mark is not None else Sym(f"{s.first.plain}_found", BOOL)
    before: list[Stmt] = [
        Declare(new, s.before.get(old, Place(old, (), old.type)), span=span) for old, new in compared.items()
    ]
    told: list[Stmt] = [_assigned(new, Place(old, (), old.type), s) for old, new in winner.items()]
    if mark is not None:
        before.append(Declare(flag, Const(-1, INT), span=span))
        won: Expr = Binary(">=", Place(flag, (), INT), Const(0, INT), BOOL)
    else:
        before.append(Declare(flag, Const(False, BOOL), span=span))
        told.append(_assigned(flag, Const(True, BOOL), s))
        won = Place(flag, (), BOOL)
    before += [Declare(new, _first(s, old), span=span) for old, new in winner.items() if new is not flag]
    search = mapped(_searched(s, told, compared), renaming(compared))
    again = tuple(mapped(stmt, renaming(winner)) for stmt in copied(_winning(s)))
    return [*before, search, If(won, again, span=span)]


def _first(s: Selection, sym: Sym) -> Expr:
    """A value to begin with: the counter's own, where it is known before the loop, so that it is in range."""
    if isinstance(s.loop, For):
        for stmt in s.loop.init:
            if (
                isinstance(stmt, Declare)
                and stmt.sym is sym
                and stmt.init is not None
                and not isinstance(stmt.init, Initialiser)
            ):
                return stmt.init
    return Const(0, scalar_type(sym))


def _assigned(sym: Sym, value: Expr, s: Selection) -> Assign:
    return Assign(Place(sym, (), sym.type), value, span=s.sets[s.first].span)


def _searched(s: Selection, told: Sequence[Stmt], compared: Collection[Sym]) -> Stmt:
    """The loop, which only compares, and remembers the iteration."""
    sets: dict[Stmt, Sym] = {stmt: sym for sym, stmt in s.sets.items()}
    begins = next(stmt for stmt in s.home if stmt in sets or _changes(stmt, s.restart))

    def change(stmt: Stmt) -> Sequence[Stmt] | None:
        sym = sets.get(stmt)
        if s.choice is None:
            before = told if stmt is begins else ()
            if sym is None:
                return (*before, stmt) if before else None
            return (*before, *((stmt,) if sym in compared else ()))
        if sym is None:
            return None
        choice, mine = s.choice, s.sets[sym]
        value = choice.value if choice.rival is None else Place(choice.rival, (), sym.type)
        wins = If(choice.test, (replace(mine, value=value), *told), span=mine.span)
        return (
            (wins,) if choice.rival is None else (Declare(choice.rival, choice.value, span=mine.span), wins)
        )

    return rebuilt(s.loop, lambda body: substituted(body, change))


def _winning(s: Selection) -> Body:
    """What the winning iteration computes up to the selection, without the branches and loops around it."""
    sets = set(s.sets.values())
    whole = (*(stmt for body, k in s.path for stmt in body[:k]), *s.home[: _end(s)])

    def change(stmt: Stmt) -> Sequence[Stmt] | None:
        if stmt in sets and s.choice is not None:
            assert isinstance(stmt, Assign)
            return (replace(stmt, value=s.choice.value),)
        match stmt:
            case Declare(sym) if sym in s.restart:
                return ()
            case Assign(Place(sym)) if (sym in s.restart or sym in s.outer) and stmt not in sets:
                return ()
            case _:
                return None

    return substituted(whole, change)


def _changes(stmt: Stmt, syms: Collection[Sym]) -> bool:
    return any(target.sym in syms for part in statements((stmt,)) for target in targets(part))


def _is_never_negative(s: Selection, sym: Sym) -> bool:
    """Whether an `int` counts up from at least zero, or down to it: -1 isn't a value of it."""
    if sym.type != INT:
        return False
    for loop in (s.loop, *(body[k] for body, k in s.path)):
        match loop:
            case For((Declare(counter, start),), _, (Assign(Place(up, ()), by, "+="),)):
                if counter is sym and up is sym and _not_negative(start) and _not_negative(by):
                    return True
            case For(_, Binary(">" | ">=", Place(counter, ()), Const(least))):
                if counter is sym and least >= 0:
                    return True
            case _:
                pass
    return False


def _not_negative(value: Expr | Initialiser | None) -> bool:
    """Whether an integer is made of coordinates, sizes and literals of at least zero by sums and products."""
    match value:
        case Const(number):
            return number >= 0
        case Special():
            return True
        case Cast(arg):
            return is_integer(arg) and _not_negative(arg)
        case Binary("+" | "*", left, right):
            return _not_negative(left) and _not_negative(right)
        case _:
            return False


__all__ = ["Selection", "selection", "with_winners"]
