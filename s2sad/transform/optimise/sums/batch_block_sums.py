"""Make a block-wide sum where an earlier one is made, so that both take one pair of barriers.

    s = block_sum(s);                            s = block_sum(s);
    …                                            sum_e_g = block_sum(sum_e_g);
    float adj_s = -sum_e_g / s / s;        ->    …
    adj_s = block_sum(adj_s);                    float adj_s = -sum_e_g / s / s;

A sum over the block is linear: factors that its threads have in common may as well multiply the
sums. So it is followed back to what each thread brings, through variables, factors, and additions.
If all of that is there at the earlier sum, and nothing else reads it later, it is summed there, and from
then on the variables hold the block's sums instead of the thread's parts.

What only thread 0 adds (`if (threadIdx.x == 0) adj_s += adj_rstd[row];`) is its own sum over the block:
every thread adds it then.

A call that sums several values is made of sums that follow each other (`emit.batch_block_adds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ....fixpoint import rounds
from ....ir import (
    Accumulate,
    Assign,
    Barrier,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Quote,
    Scalar,
    Special,
    Stmt,
    Sym,
    Unary,
    calls,
    collective,
    expressions,
    is_floating,
    rebuilt,
    statements,
    walk,
)
from ...common.algebra import is_const
from ...common.jumps import exits
from ...common.mod_ref import sets
from ...common.symbol_uses import mapped, used
from ..uniformity import Alike, uniform_after


def batch_block_sums(body: Body, dimensions: int = 1) -> Body:
    """The body with such sums made earlier, for blocks of so many dimensions."""
    if sum(_sums(stmt) for stmt in statements(body)) < 2:
        return body
    return _batched(body, Alike(body), dimensions)


def _batched(body: Body, alike: Alike, dimensions: int) -> Body:
    out: list[Stmt] = [rebuilt(s, lambda b: _batched(b, alike, dimensions)) for s in body]
    position = 0
    while position < len(out):
        if _sum_of(out[position]) is not None:
            earlier = next((k for k in range(position - 1, -1, -1) if _sum_of(out[k]) is not None), None)
            if earlier is not None and not any(map(exits, out[earlier:position])):
                made = _moved(out, earlier, position, alike, dimensions)
                if made is not None:
                    out, position = made, 0
                    continue
        position += 1
    return tuple(out)


def _sums(stmt: Stmt) -> int:
    return sum(call.rule == "sum" for call in calls(stmt))


def _sum_of(stmt: Stmt) -> Call | None:
    """The block-wide sum in a statement that makes one, of floating values."""
    match stmt:
        case Declare(_, value) | Assign(Place(_, ()), value, None) if isinstance(value, Expr):
            found = [e for e in walk(value) if isinstance(e, Call) and e.rule == "sum"]
            return found[0] if len(found) == 1 and is_floating(found[0]) else None
        case _:
            return None


class _Stays(Exception):
    """The sum can't be made earlier."""


class _ReadByAnother(Exception):
    """What a sum is made of goes into another one too, at a position: they can only be moved together."""

    def __init__(self, position: int) -> None:
        self.position = position


def _moved(body: list[Stmt], home: int, position: int, alike: Alike, dimensions: int) -> list[Stmt] | None:
    """The statements with the sum at a position made at the one at `home`; None if it stays."""
    group = [position]
    for _ in rounds(len(body), "which block sums move together"):  # the group grows by one of its statements
        try:
            return _Linear(body, home, alike, dimensions).moved(group)
        except _ReadByAnother as other:
            group.append(other.position)
        except _Stays:
            break
    return None


@dataclass
class _Linear:
    """What block-wide sums are made of, back to an earlier sum at the position `home`."""

    body: list[Stmt]
    home: int
    alike: Alike
    dimensions: int
    parts: dict[Sym, None] = field(default_factory=dict)  # variables that hold a thread's part
    between: set[Sym] = field(default_factory=set)  # variables that are made of them
    read: set[Stmt] = field(default_factory=set)  # the statements that read them
    led: dict[If, set[Stmt]] = field(default_factory=dict)  # what only thread 0 adds

    def moved(self, group: list[int]) -> list[Stmt]:
        """The statements with the sums at some positions made at the earlier one. Raises _Stays."""
        first = self.first()
        calls: dict[Stmt, Call] = {}
        for position in group:
            call = _sum_of(self.body[position])
            assert call is not None
            calls[self.body[position]] = last = call
            self.linear(call.args[0], position)
            self.read.add(self.body[position])
        self.check(group)
        if not self.parts:
            raise _Stays
        sums = [_block_sum(Place(sym, (), sym.type), last) for sym in self.parts]
        out: list[Stmt] = [*self.body[: self.home], *first[:1], *sums, *first[1:]]
        for stmt in self.body[self.home + 1 :]:
            if stmt in calls:
                left = _without(stmt, calls[stmt])
                gone = isinstance(left, Assign) and left.value == left.target
                while gone and isinstance(out[-1], Quote):
                    out.pop()
                out.append(Barrier())  # the sum was one; `eliminate_barriers` knows whether it is needed
                out += [] if gone else [left]
            elif isinstance(stmt, If) and stmt in self.led:
                rest = tuple(s for s in stmt.then if s not in self.led[stmt])
                alone = all(isinstance(s, Quote) for s in rest)
                out += stmt.then if alone else [replace(stmt, then=rest), *self.quoted(stmt)]
            else:
                out.append(stmt)
        return out

    def quoted(self, branch: If) -> list[Stmt]:
        """What thread 0 adds alone, with the primal's lines."""
        out: list[Stmt] = []
        said: list[Stmt] = []
        for stmt in branch.then:
            said = [stmt] if isinstance(stmt, Quote) else said
            if stmt in self.led[branch]:
                out += [*(replace(s) for s in said if isinstance(s, Quote)), stmt]
        return out

    def first(self) -> list[Stmt]:
        """The earlier sum, of a variable in place, and the rest of its statement. Raises _Stays."""
        stmt = self.body[self.home]
        call = _sum_of(stmt)
        assert call is not None
        arg = call.args[0]
        if not isinstance(arg, Place) or arg.index or arg.sym.storage != "local" or arg.type != call.type:
            raise _Stays
        match stmt:
            case Assign(target, value, None) if target == arg and value is call:
                return [stmt]
            case _:
                pass
        for later in self.body[self.home + 1 :]:
            if isinstance(later, Assign) and later.target == arg and later.op is None:
                if arg.sym in later.value.symbols:
                    raise _Stays
                break
            if arg.sym in used(later):
                raise _Stays
        if not any(isinstance(s, Declare) and s.sym is arg.sym for s in self.body[: self.home]):
            raise _Stays
        return [_block_sum(arg, call), _without(stmt, call)]

    # ---- followed back ------------------------------------------------------------------

    def linear(self, expr: Expr, position: int) -> None:
        """Follow a value that is linear in the thread's parts. Raises _Stays."""
        match expr:
            case Unary("-", arg):
                self.linear(arg, position)
            case Cast(arg) if is_floating(arg) and arg.type == expr.type:
                self.linear(arg, position)
            case Binary("+" | "-", left, right):
                self.linear(left, position)
                self.linear(right, position)
            case Binary("*", left, right) if self.uniform(left, position):
                self.linear(right, position)
            case Binary("*" | "/", left, right) if self.uniform(right, position):
                self.linear(left, position)
            case Place(sym, ()) if sym.storage == "local" and isinstance(sym.type, Scalar):
                self.variable(sym, position)
            case Const() if is_const(expr, 0.0):
                pass
            case _:
                raise _Stays

    def variable(self, sym: Sym, position: int) -> None:
        """Follow a variable: a thread's part, or one that is made of such after the earlier sum."""
        places = [k for k in range(position) if sym in sets(self.body[k])]
        late = [k for k in places if k > self.home]
        if not any(isinstance(self.body[k], Declare) for k in places):
            raise _Stays
        if not late:
            if any(sym in sets(s) for s in self.body[self.home :]) or _is_sum(self.body[places[-1]]):
                raise _Stays
            self.parts[sym] = None
            return
        if sym in self.between:
            return
        self.between.add(sym)
        for k in places:
            self.contribution(sym, k)

    def contribution(self, sym: Sym, k: int) -> None:
        """Follow what a statement sets a variable to, or adds to it."""
        stmt = self.body[k]
        match stmt:
            case Declare(_, None):
                return
            case Declare(_, value) if isinstance(value, Expr) and _sum_of(stmt) is None:
                self.linear(value, k)
            case Accumulate(_, value, "local") if k > self.home and sym not in value.symbols:
                self.linear(value, k)
            case Assign(_, value, None) if k > self.home and _sum_of(stmt) is None:
                if sym in value.symbols:
                    raise _Stays
                self.linear(value, k)
            case Assign(_, value, "*=" | "/=") if k > self.home and self.uniform(value, k):
                pass
            case If() if k > self.home and self.leads(stmt):
                self.led.setdefault(stmt, set()).update(self.alone(stmt, sym, k))
                return
            case _:
                raise _Stays
        self.read.add(stmt)

    def leads(self, stmt: If) -> bool:
        """Whether only thread 0 runs a branch."""
        match stmt:
            case If(Binary("==", left, right), _, ()) if self.dimensions == 1:
                return any(is_const(b, 0) and self.is_thread(a) for a, b in ((left, right), (right, left)))
            case _:
                return False

    def is_thread(self, expr: Expr) -> bool:
        """Whether it is the thread's number, or a variable that has it."""
        match expr:
            case Cast(arg):
                return self.is_thread(arg)
            case Special("threadIdx", "x"):
                return True
            case Place(sym, ()):
                made = [s for s in self.body if sym in sets(s)]
                match made:
                    case [Declare(_, value)] if isinstance(value, Expr):
                        return self.is_thread(value)
                    case _:
                        return False
            case _:
                return False

    def alone(self, branch: If, sym: Sym, k: int) -> Iterator[Stmt]:
        """What a branch of thread 0 sets a variable to, or adds to it: values that any thread could load."""
        inside = frozenset[Sym]().union(*map(sets, branch.then))
        for stmt in branch.then:
            if sym not in sets(stmt) and sym not in used(stmt):
                continue
            match stmt:
                case Accumulate(Place(_, ()), value, "local") | Assign(Place(_, ()), value, None):
                    if inside & value.symbols or not self.uniform(value, k):
                        raise _Stays
                    yield stmt
                case _:
                    raise _Stays

    def uniform(self, expr: Expr, position: int) -> bool:
        """Whether a value is the same in all threads of the block at a position."""
        return uniform_after(self.body[:position], expr, self.alike)

    def check(self, group: list[int]) -> None:
        """Check that nothing else reads what has another meaning now. Raises _Stays, _ReadByAnother."""
        mine = set(self.parts) | self.between
        known = self.read.union(*self.led.values())
        for k in range(self.home + 1, len(self.body)):
            stmt = self.body[k]
            for inner in statements((stmt,)):
                if inner in known or not any(mine & e.symbols for e in expressions(inner)):
                    continue
                if inner is stmt and _sum_of(stmt) is not None and k not in group:
                    raise _ReadByAnother(k)
                raise _Stays
            match stmt:
                case Assign(Place(sym, ()), Call(rule="sum")) if k in group:
                    mine.discard(sym)  # from there on it holds the sum anyway
                case _:
                    pass


def _is_sum(stmt: Stmt) -> bool:
    """Whether a statement gives every thread a block-wide sum already."""
    return collective(stmt) is not None or bool(_sums(stmt))


def _block_sum(place: Place, call: Call) -> Assign:
    return Assign(place, replace(call, args=(place,), type=call.type))


def _without(stmt: Stmt, call: Call) -> Stmt:
    """The statement with what was summed in place of the sum."""
    return mapped(stmt, lambda e: call.args[0] if e is call else None)
