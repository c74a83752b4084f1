"""Take another thread's value from this thread's, where both are the same but for the sign.

    float d = x[j] - xi;                      float d = x[j] - xi;
    adj_xi -= adj_s * dw(d * d);        ->    adj_xi -= adj_s * dw(d * d);
    float xi_j = x[j];                        adj_x_sum -= adj_s_j * dw(d * d);
    float d_j = xi - xi_j;
    adj_x_sum += adj_s_j * dw(d_j * d_j);

A thread that gathers recomputes what others did (see `gather.contributions`). In sums over pairs this thread
has computed much of it in the same iteration, with the two exchanged. Only such recomputed variables are
replaced, by one that holds the value until the end of the scope. Changes of sign are exact in IEEE
arithmetic: a - b is -(b - a), (-a) + (-b) is -(a + b), and products and quotients take the signs of their
operands.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import accumulate

from ....analysis.atomics import is_drawn
from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    Unary,
    bodies,
    expressions,
    holding,
    is_floating,
    rebuilt,
    statements,
    substituted,
    walk,
)
from ...common.algebra import rewrite
from ...common.jumps import exits
from ...common.mod_ref import meets, written
from ...common.symbol_uses import mapped, used
from ...common.thread_rows import helper
from .restore_collectives import made_together

ODD = frozenset({"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "cbrt", "sinpi"})
EVEN = frozenset({"cos", "cosh", "cospi", "fabs"})
"""Rules of functions of which CUDA's are odd or even to the last bit, as C's are."""


def reuse_symmetric_values(body: Body) -> Body:
    """The body without variables for other threads' values that this thread has."""
    if not any(isinstance(s, Declare) and s.sym.replayed for s in statements(body)):
        return body
    made = _Reuse(frozenset[Sym]().union(*map(written, body)))
    new = made.body(_merged(body))
    if not made.completed:
        return new

    def change(stmt: Stmt) -> Body | None:
        more = made.completed.get(stmt.sym) if isinstance(stmt, Declare) else None
        return None if more is None else (stmt, *more)

    return substituted(new, change)


def _merged(body: Body) -> Body:
    """The body with what other threads do under a condition put with what this thread does under it."""
    out: list[Stmt] = []
    for stmt in body:
        new = rebuilt(stmt, _merged)
        at = _same_branch(out, new) if isinstance(new, If) and _replays(new) else None
        if at is not None:
            first = out.pop(at)
            assert isinstance(first, If)
            assert isinstance(new, If)
            new = replace(new, cond=first.cond, then=(*first.then, *new.then))
        out.append(new)
    return tuple(out)


def _replays(stmt: If) -> bool:
    return any(isinstance(s, Declare) and s.sym.replayed for s in statements(stmt.then))


def _same_branch(before: list[Stmt], branch: If) -> int | None:
    """The position of an earlier statement under the same condition that may as well run with this one."""
    for at in range(len(before) - 1, -1, -1):
        stmt = before[at]
        if isinstance(stmt, If) and not stmt.other and not branch.other and _same(stmt.cond, branch.cond):
            decides = stmt.cond.symbols.isdisjoint(written(stmt))
            return at if decides and all(_commute(stmt, s) for s in before[at + 1 :]) else None
        if meets(stmt) or bodies(stmt):
            return None
    return None


def _commute(first: If, stmt: Stmt) -> bool:
    """Whether a branch may run after a statement, and its condition be tested there."""
    apart = written(stmt).isdisjoint(used(first)) and used(stmt).isdisjoint(written(first))
    return apart and not exits(first) and not exits(stmt)


def _same(one: Expr, other: Expr) -> bool:
    match one, other:
        case Binary("==" | "!=" as op, a, b), Binary(also, c, d) if op == also:
            return (a, b) in ((c, d), (d, c))
        case _:
            return one == other


@dataclass(frozen=True)
class _Signed:
    """A value, or its negative."""

    value: Expr
    negative: bool = False

    def times(self, negative: bool) -> _Signed:
        return replace(self, negative=self.negative != negative)

    def written(self) -> Expr:
        return _negated(self.value) if self.negative else self.value


@dataclass
class _Reuse:
    """What this thread has.

    `held`: what holds a value, by its normal form; `copies`: what variables are equal to.
    `instead`: what stands for a variable that is left out. `order`: the number of each operand of a
    difference, by which its sign is chosen. `seen`: elements of memory that this thread has read.
    `completed`: more fields of structs that are loaded, after the declaration of one. `written` is what the
    kernel changes anywhere. `replays`: whether another thread's statements have begun.
    """

    written: frozenset[Sym]
    held: dict[Expr, _Signed] = field(default_factory=dict)
    copies: dict[Sym, _Signed] = field(default_factory=dict)
    instead: dict[Sym, _Signed] = field(default_factory=dict)
    order: dict[Expr, int] = field(default_factory=dict)
    seen: set[Expr] = field(default_factory=set)
    completed: dict[Sym, list[Declare]] = field(default_factory=dict)
    replays: bool = False

    def body(self, body: Body) -> Body:
        changed = _changed_from(body)
        barriers = [k for k, stmt in enumerate(body) if meets(stmt)]
        last = barriers[-1] if barriers else -1
        inside = replace(self, held=dict(self.held))
        out: list[Stmt] = []
        for k, stmt in enumerate(body):
            inside.replays = inside.replays or (isinstance(stmt, Declare) and stmt.sym.replayed)
            new = inside.stmt(stmt)
            if isinstance(new, Declare) and k > last and inside.left_out(new, changed[k + 1]):
                continue
            for expr in expressions(new):
                inside.normal(expr)  # what is seen here orders the operands of later differences
            out.append(rebuilt(new, inside.body))
        return tuple(out)

    def stmt(self, stmt: Stmt) -> Stmt:
        """A statement in terms of what this thread has; of one with bodies, only its own expressions."""
        again = isinstance(stmt, Accumulate) or (
            isinstance(stmt, Declare) and (stmt.sym.replayed or stmt.sym.ours)
        )

        def change(e: Expr) -> Expr | None:
            replayed = (again and self.replays) or any(sym.replayed for sym in e.symbols)
            return self.in_terms_of_held(e) if replayed else e

        if not bodies(stmt):
            return mapped(stmt, change)
        inside: list[Body] = []

        def emptied(body: Body) -> Body:
            inside.append(body)
            return ()

        return holding(mapped(rebuilt(stmt, emptied), change), *inside)

    def in_terms_of_held(self, expr: Expr) -> Expr:
        def named(e: Expr) -> Expr | None:
            return self.held[e].written() if isinstance(e, Place) and e.index and e in self.held else None

        whole = self.folded(expr)
        if not is_floating(expr) or isinstance(expr, Place):
            return whole.written()
        form = self.normal(whole.value).times(whole.negative)
        value = rewrite(form.value, named)
        return Unary("-", value, value.type) if form.negative else value

    def left_out(self, stmt: Declare, changed: frozenset[Sym]) -> bool:
        """Whether the declared value is held by another variable; if not, this one holds it from now on."""
        sym, init = stmt.sym, stmt.init
        if not isinstance(init, Expr) or not isinstance(sym.type, Scalar) or sym.storage != "local":
            return False
        if sym in changed or init.type != sym.type or not init.symbols.isdisjoint(changed):
            return False
        if not sym.type.is_float or not _repeatable(init):
            return False
        was_read = init in self.seen
        form = self.normal(init)
        if isinstance(form.value, Const):
            return False
        if sym.replayed and was_read:
            self.instead[sym] = self.held.get(form.value, form)
            return True
        if isinstance(form.value, Place):
            self.copies.setdefault(sym, form)  # of a load, too: it may be read without a name
        held = form if _is_name(form.value) else self.held.get(form.value)
        if held is None and sym.replayed:
            held = self.of_struct(sym, form.value)
        if held is None:
            self.held[form.value] = _Signed(Place(sym, (), sym.type), form.negative)
            return False
        same = held if held is form else held.times(form.negative)
        if sym.replayed:
            self.instead[sym] = same
        return sym.replayed

    def of_struct(self, sym: Sym, load: Expr) -> _Signed | None:
        """A field of a struct of which this thread has loaded another field, to be loaded with it."""
        if not isinstance(load, Place) or load.sym.within is None or load.sym in self.written:
            return None
        for value, holder in self.held.items():
            match value, holder.value:
                case Place(array, index), Place(mine, ()) if (
                    array.within is load.sym.within
                    and index == load.index
                    and mine.within is not None
                    and mine.type == sym.type
                    and not mine.replayed
                ):
                    path, whole = load.sym.path, mine.within
                    name = ".".join((whole.name, *path))
                    new = replace(mine, name=name, path=path, otherwise=())
                    self.completed.setdefault(mine, []).append(Declare(new, load))
                    self.held[load] = _Signed(Place(new, (), new.type))
                    return self.held[load]
                case _:
                    pass
        return None

    def folded(self, expr: Expr) -> _Signed:
        """An expression with the variables replaced, and the signs drawn out of products and sums."""
        if expr.symbols.isdisjoint(self.instead):
            return _Signed(expr)
        match expr:
            case Place(sym, ()) if sym in self.instead:
                return self.instead[sym]
            case Unary("-", arg) if is_floating(expr):
                return self.folded(arg).times(True)
            case Binary("*" | "/" | "+" | "-", left, right) if is_floating(expr):
                return _operation(expr, self.folded(left), self.folded(right))
            case Cast(arg) if is_floating(expr) and is_floating(arg):
                inner = self.folded(arg)
                return _Signed(replace(expr, arg=inner.value, spelling=None), inner.negative)
            case Call(args=(arg,), callee=None) if expr.rule in ODD | EVEN:
                return _function(expr, self.folded(arg))
            case _:
                return _Signed(rewrite(expr, lambda e: None if e is expr else self.folded(e).written()))

    def normal(self, expr: Expr) -> _Signed:
        """The normal form of a value: names by what they stand for, differences by the order of operands."""
        match expr:
            case Place(sym, ()) if sym in self.copies:
                return self.copies[sym]
            case Place(_, (_, *_)) if expr.sym not in self.written:
                self.seen.add(expr)
                return _Signed(expr)
            case Unary("-", arg) if is_floating(expr):
                return self.normal(arg).times(True)
            case Binary("*" | "/" | "+" | "-", left, right) if is_floating(expr):
                made = _operation(expr, self.normal(left), self.normal(right))
                return self.ordered(made)
            case Cast(arg) if is_floating(expr) and is_floating(arg):
                inner = self.normal(arg)
                return _Signed(replace(expr, arg=inner.value), inner.negative)
            case Call(args=(arg,), callee=None) if expr.rule in ODD | EVEN:
                return _function(expr, self.normal(arg))
            case _:
                return _Signed(rewrite(expr, lambda e: None if e is expr else self.normal(e).written()))

    def ordered(self, made: _Signed) -> _Signed:
        match made.value:
            case Binary("-", a, b) as whole:
                first, second = (self.order.setdefault(e, len(self.order)) for e in (a, b))
                if first > second:
                    return _Signed(replace(whole, left=b, right=a), not made.negative)
                return made
            case _:
                return made


def _changed_from(body: Body) -> list[frozenset[Sym]]:
    """What is changed from each position of a body on."""
    none = frozenset[Sym]()
    return [*accumulate((written(s) for s in reversed(body)), frozenset.union, initial=none)][::-1]


def _repeatable(value: Expr) -> bool:
    """Whether an expression has the same value wherever its operands have."""
    if is_drawn(value) or made_together(value) or outputs(value):
        return False
    return all(e.callee is None or helper(e) for e in walk(value) if isinstance(e, Call))


def _is_name(expr: Expr) -> bool:
    return isinstance(expr, Place) and not expr.index


def _operation(expr: Binary, a: _Signed, b: _Signed) -> _Signed:
    """An operation on two signed operands, with the sign drawn out."""
    op, left, right = expr.op, a.value, b.value
    if op in "*/":
        return _Signed(_with(expr, op, left, right), a.negative != b.negative)
    second = b.negative != (op == "-")
    if a.negative == second:
        return _Signed(_with(expr, "+", left, right), a.negative)
    return _Signed(_with(expr, "-", *((right, left) if a.negative else (left, right))))


def _function(expr: Call, arg: _Signed) -> _Signed:
    """An odd or even function of a signed argument."""
    call = expr if arg.value is expr.args[0] else replace(expr, args=(arg.value,), spelling=None, macro=None)
    return _Signed(call, arg.negative and expr.rule in ODD)


def _negated(expr: Expr) -> Expr:
    """-a * b for a product, as people write it."""
    match expr:
        case Binary("*" | "/", left, right):
            return replace(expr, left=_negated(left), right=right, spelling=None, macro=None)
        case _:
            return Unary("-", expr, expr.type)


def _with(expr: Binary, op: str, left: Expr, right: Expr) -> Expr:
    if op == expr.op and left is expr.left and right is expr.right:
        return expr
    return replace(expr, op=op, left=left, right=right, spelling=None, macro=None)
