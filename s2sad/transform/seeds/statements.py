"""The statements of an adjoint for several seeds, from those for one.

    float adj_s = 2.0f * s * adj_y[i];          for (int seed = 0; seed < 8; ++seed) {
    atomicAdd(&adj_x[i], adj_s);         ->         const float adj_s = 2.0f * s * adj_y[i][seed];
                                                    atomicAdd(&adj_x[i][seed], adj_s);
                                                }

Whatever holds an adjoint, or is made of one, is there once for each seed, and each statement that uses it
runs once for each seed, where it ran before. No two seeds share a number, so the order in which they are
served doesn't matter. Everything else, the values of the primal and the partials, doesn't depend on seeds
and is computed once. A sum over the block adds up the numbers of all seeds in one round.

A branch on an adjoint, which skips what adds zero, asks for each seed: a partial that is skipped may be
infinite.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...ir import (
    COLLECTIVE,
    INT,
    REDUCTIONS,
    VOID,
    Accumulate,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Clear,
    Comment,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Place,
    Quote,
    Record,
    Restore,
    Select,
    Stmt,
    Sym,
    Unary,
    all_parts,
    calls,
    scalar_type,
    statements,
    substituted,
    wide,
)
from ..common.adjoint_names import by_operation, element_name
from ..common.algebra import converted, rewrite
from ..common.symbol_uses import mapped
from ..tangent.directions import Directions, Group, Passed
from ..tangent.layouts import Layout
from .layouts import SEEDS, flat, laid_adjoint
from .loops import SeedLoop, targets

_ROUND = 192
"""The most numbers that a block adds up in one round: they take 32 times their size of shared memory."""

_LINEAR = Declare | Assign | Accumulate | Clear | Evaluate | Quote | Comment


@dataclass(frozen=True)
class Called:
    """The function for several seeds that is called instead of one for one seed.

    `returns`: the latter returns an adjoint, which the former stores through its last parameter.
    """

    name: str
    passed: Passed
    returns: bool


class Seeds(Directions):
    """Makes the arrays of an adjoint's kernel, or of a device function's adjoint.

    `called` are the functions for several seeds, by those for one. `apart`: each field's adjoint is a
    parameter of its own. `result` is where a device function's adjoint stores what it would return.
    """

    several = SEEDS

    def __init__(
        self,
        count: int,
        adjoints: Iterable[Sym],
        called: Mapping[str, Called],
        *,
        apart: bool,
        is_kernel: bool = False,
        result: Sym | None = None,
    ) -> None:
        self.apart, self.called = apart, called
        self.sums: set[Sym] = set()  # the arrays that a block adds up in one call
        passed = {name: one.passed for name, one in called.items()}
        super().__init__(count, adjoints, passed, result, is_kernel)

    def laid(self, sym: Sym) -> Layout:
        if sym in self.sums and isinstance(sym.type, Array):
            return flat(sym, self.count)
        return laid_adjoint(sym, self.count, apart=self.apart)

    def function(self, function: Function) -> Function:
        if self.called:
            function = replace(function, body=with_calls_apart(function.body, self.called))
        given = frozenset(self.known)
        for stmt in statements(function.body):
            match stmt:
                case Accumulate(_, Place(sym, ()) as amount) if isinstance(amount.type, Array):
                    if len(amount.type.extents) == 1 and amount.type.elements * self.count <= _ROUND:
                        self.sums.add(sym)
                case _:
                    pass
        made = super().function(function)
        changed = next((sym for sym in function.syms if sym in self.known and sym not in given), None)
        if changed is not None:
            raise self._unsupported(f"{changed.name}, which an adjoint is stored to", function.body[0])
        return made

    def _made_of_tangents(self, stmt: Stmt) -> Iterator[Sym]:
        yield from super()._made_of_tangents(stmt)
        if isinstance(stmt, Declare) and self._call_of(stmt) is not None:
            yield stmt.sym
        if isinstance(stmt, Accumulate) and self._moves(stmt.amount):
            yield stmt.target.sym
        for call in calls(stmt):
            if call.outputs and self._moves(call):
                yield from (place.sym for place in call.outputs)

    def _sets(self, stmt: Stmt) -> Iterator[Sym]:
        yield from (place.sym for place in targets(stmt))

    # ---- which statements the loops have --------------------------------------------

    def _is_tangent(self, stmt: Stmt) -> bool:
        return self._is_of_adjoints(stmt) and not self._has_calls(stmt)

    def _is_of_adjoints(self, stmt: Stmt) -> bool:
        match stmt:
            case Declare(sym):
                return sym in self.known
            case Assign() | Accumulate() | Clear() | Evaluate():
                return any(place.sym in self.known for place in targets(stmt)) or self._has_tangent(stmt)
            case If(cond):
                return self._moves(cond) and self._is_straight(stmt)
            case Quote() | Comment():
                return True
            case _:
                return False

    def _is_straight(self, branch: If) -> bool:
        """Whether a branch on an adjoint only sets adjoints, so that the loop may have it as it is."""
        declared = {s.sym for s in statements((branch,)) if isinstance(s, Declare)}
        for stmt in statements((*branch.then, *branch.other)):
            if isinstance(stmt, If):
                continue
            if not isinstance(stmt, _LINEAR) or self._meets(stmt):
                return False
            if any(p.sym not in self.known and p.sym not in declared for p in targets(stmt)):
                return False
        return True

    def _meets(self, stmt: Stmt) -> bool:
        """Whether a statement of adjoints needs all threads of a block or of a warp."""
        if isinstance(stmt, Accumulate):
            return stmt.how in REDUCTIONS
        return any(call.rule in COLLECTIVE for call in calls(stmt)) and self._is_of_adjoints(stmt)

    def _has_calls(self, stmt: Stmt) -> bool:
        return self._meets(stmt) or self._call_of(stmt) is not None

    def _call_of(self, stmt: Stmt) -> Call | None:
        """The call of a function for several seeds that is all that a statement does."""
        call = whole_call(stmt)
        one = None if call is None else self.called.get(call.callee or "")
        return call if one is not None and one.returns != isinstance(stmt, Evaluate) else None

    def _values(self, stmt: Stmt) -> set[object]:
        return {
            self._memory(part.sym)
            for part in all_parts(stmt)
            if isinstance(part, Place) and part.sym not in self.known
        }

    # ---- loops ----------------------------------------------------------------------

    def _made(self, group: Group, known: Mapping[Expr, Sym]) -> Iterator[Stmt]:
        """The loop of a group's statements, with what comes before it, and quotes at its ends outside."""
        stmts = group.stmts
        run = [k for k, stmt in enumerate(stmts) if not isinstance(stmt, Quote | Comment)]
        first, last = (run[0], run[-1] + 1) if run else (0, 0)
        yield from stmts[:first]
        after: list[Stmt] = []
        if run:
            for stmt in SeedLoop(self.known, self.uses, self.count, stmts[first:last], known).made():
                if isinstance(stmt, For):  # the last one
                    body = list(stmt.body)
                    while body and isinstance(body[-1], Quote | Comment):
                        after.insert(0, body.pop())
                    stmt = replace(stmt, body=tuple(body))
                    if not body:
                        continue
                yield stmt
        yield from (*after, *stmts[last:])

    def _other(self, stmt: Stmt) -> Iterator[Stmt]:
        if self._has_tangent(stmt):
            taped = isinstance(stmt, Record | Restore)
            raise self._unsupported("a tape of adjoints" if taped else "a condition on an adjoint", stmt)
        if isinstance(stmt, For) and any(map(self._concerns, stmt.init)):
            raise self._unsupported("a loop that begins with an adjoint", stmt)
        yield from super()._other(stmt)

    # ---- sums over a block --------------------------------------------------------------

    def _calling(self, stmt: Stmt) -> tuple[list[Stmt], list[Stmt]]:
        """What all threads add up together, in one round for all seeds if it is for adjacent numbers."""
        call = self._call_of(stmt)
        if call is not None:
            return self._call(stmt, call)
        if not isinstance(stmt, Accumulate) or stmt.how != "reduce":
            return [stmt], []
        layout = self.known[stmt.target.sym]
        adjacent = layout.how in ("last", "only")
        if not adjacent and not isinstance(stmt.amount.type, Array):
            return [stmt], []
        if not adjacent:
            raise self._unsupported("sums of several fields of a struct", stmt)
        if isinstance(stmt.amount.type, Array):
            return self._several_sums(stmt, layout, stmt.amount)
        before: list[Stmt] = []
        amount = stmt.amount
        kind = wide(scalar_type(stmt.target))
        own = isinstance(amount, Place) and not amount.index and amount.sym in self.known
        if not own or stmt.negative or amount.type != kind or not self._is_row(amount):
            sym = Sym(f"{element_name(stmt.target.sym.plain, stmt.target)}_sums", kind)
            value = Unary("-", amount, amount.type) if stmt.negative else amount
            self.known[sym] = self.laid(sym)
            self.uses[sym] = 1
            before.append(Declare(sym, converted(value, kind)))
            amount = Place(sym, (), kind)
        assert isinstance(amount, Place)
        sums = self.known[amount.sym].sym
        first = layout.place(stmt.target, Const(0, INT))
        return before, [replace(stmt, target=first, amount=Place(sums, (), sums.type), negative=False)]

    def _call(self, stmt: Stmt, call: Call) -> tuple[list[Stmt], list[Stmt]]:
        """A call for all seeds, and the adjoints that it needs by name."""
        assert call.callee is not None
        before: list[Stmt] = []
        new: list[Stmt] = []
        passed = self._called(call)
        args = [self._argument(a, call, k, before) if k in passed else a for k, a in enumerate(call.args)]
        if isinstance(stmt, Declare):
            sym = self.known[stmt.sym].sym
            new.append(Declare(sym))
            args.append(Place(sym, (), sym.type))
        name = self.called[call.callee].name
        new.append(Evaluate(Call(name, tuple(args), VOID, callee=name)))
        return before, new

    def _is_row(self, amount: Expr) -> bool:
        assert isinstance(amount, Place)
        layout = self.known[amount.sym]
        return layout.how == "last" and layout.sym.type == Array(scalar_type(amount), (self.count,))

    def _several_sums(self, stmt: Accumulate, layout: Layout, amount: Expr) -> tuple[list[Stmt], list[Stmt]]:
        """Sums of several elements: in one round, or in one for each element if they are many."""
        assert isinstance(amount, Place)
        assert isinstance(amount.type, Array)
        if amount.sym in self.sums:
            sums = self.known[amount.sym].sym
            first = layout.place(stmt.target, Const(0, INT))
            return [], [replace(stmt, target=first, amount=Place(sums, (), sums.type))]
        if len(amount.type.extents) != 1:
            raise self._unsupported("sums of rows", stmt)
        before: list[Stmt] = []
        new: list[Stmt] = []
        *outer, last = stmt.target.index
        for k in range(amount.type.elements):
            at = last if k == 0 else Binary("+", last, converted(Const(k, INT), last.type), last.type)
            target = replace(stmt.target, index=(*outer, at), spelling=None)
            one = Place(amount.sym, (Const(k, INT),), amount.type.element)
            names, sums_ = self._calling(replace(stmt, target=target, amount=one))
            before += names
            new += sums_
        return before, new


def whole_call(stmt: Stmt) -> Call | None:
    """The call that is all that a statement does."""
    match stmt:
        case Declare(_, Call() as call) | Evaluate(call):
            return call
        case _:
            return None


def with_calls_apart(body: Body, called: Container[str]) -> Body:
    """The body with a variable for what each of these functions returns.

    adj_x[i] += f_adj(x[i], adj_s);      ->      float adj_f = f_adj(x[i], adj_s);
                                                 adj_x[i] += adj_f;
    """

    def apart(stmt: Stmt) -> Sequence[Stmt] | None:
        new: list[Stmt] = []

        def change(expr: Expr) -> Expr | None:
            if isinstance(expr, Select):
                return expr  # which evaluates one operand
            if not isinstance(expr, Call) or expr.callee is None or expr.callee not in called:
                return None
            args = tuple(rewrite(arg, change) for arg in expr.args)
            sym = Sym(by_operation(expr, "") or "adj", scalar_type(expr))
            new.append(Declare(sym, replace(expr, args=args)))
            return Place(sym, (), sym.type)

        if not isinstance(stmt, Declare | Assign | Accumulate | Evaluate):
            return None
        whole = whole_call(stmt)
        if whole is not None and whole.callee in called:
            made = replace(whole, args=tuple(rewrite(arg, change) for arg in whole.args))
            changed = mapped(stmt, lambda e: made if e is whole else None)
        else:
            changed = mapped(stmt, change)
        return (*new, changed) if new else None

    return substituted(body, apart)
