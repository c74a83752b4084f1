"""From the plan to statements: the forward sweep's slices and the reverse sweep.

A `Frame` is one body in the reverse sweep. Its statements are, in order: what it
restores, its slice, and the adjoints of its statements, last to first. Every
primal value that an adjoint reads is looked up by version, so the text says
`s`, `tape_s[k]` or a copy's name, whichever holds that value there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import assert_never

from ..analysis.loops import Counter
from ..analysis.tbr import Recorded
from ..analysis.versions import Loop, Scope, Version, Versions, loads, targets
from ..ir import (
    BOOL,
    INT,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Binary,
    Break,
    Call,
    Case,
    Cast,
    Clear,
    Const,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    How,
    If,
    Initialiser,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    walk,
)
from .algebra import Amount, add, converted, real, rewrite, shifted, subtract
from .exits import TRUE, leaves, negation
from .owed import Owed
from .partials import Add, Bind, Guard, Invoke, Item
from .storage import Tape
from .syms import expressions, mapped, symbols


@dataclass(eq=False)
class Frame:
    """Names in force while one body is reversed."""

    scope: Scope
    parent: Frame | None
    rename: dict[Sym, Sym] = field(default_factory=dict)
    bound: dict[Version, Expr] = field(default_factory=dict)
    iteration: dict[Loop, Expr] = field(default_factory=dict)

    def chain(self) -> list[Frame]:
        out: list[Frame] = []
        frame: Frame | None = self
        while frame is not None:
            out.append(frame)
            frame = frame.parent
        return out


@dataclass(frozen=True)
class AdjointFunction:
    """How the adjoint of a device function is called: one result, or several through pointers."""

    name: str
    active: tuple[int, ...]


@dataclass(eq=False)
class Builder:
    """Builds the reverse sweep of one function. The inputs are facts; nothing is decided here."""

    versions: Versions
    recorded: Recorded
    debts: dict[Stmt, list[Owed]]
    adjoints: dict[Sym, Sym]  # variable -> its adjoint
    how: Callable[[Stmt, Place], tuple[How, str]]
    tapes: dict[Version, Tape]
    load_tapes: dict[tuple[Stmt, Place], Tape]
    trips: dict[Loop, Sym]
    exit_codes: dict[Loop, Sym]
    invoke: Callable[[Call, tuple[int, ...]], AdjointFunction]
    constant_seeds: frozenset[Sym]
    strides: dict[Loop, Sym] = field(default_factory=dict)  # of loops that are run again from snapshots
    copies: dict[Version, Sym] = field(default_factory=dict)
    active_scopes: dict[Scope, bool] = field(default_factory=dict)
    handed: dict[Version, Tape] = field(default_factory=dict)  # split: what K_fwd hands over
    handed_trips: dict[Loop, Tape] = field(default_factory=dict)
    handed_exits: dict[Loop, Tape] = field(default_factory=dict)
    handed_strides: dict[Loop, Tape] = field(default_factory=dict)
    stored: dict[Version, Tape] = field(default_factory=dict)
    overrun: Sym | None = None
    handed_loops: frozenset[Loop] = frozenset()
    split: bool = False
    early: bool = True  # whether a thread that owes nothing may return

    # ---- what is reversed --------------------------------------------------

    def reversed(self, stmt: Stmt) -> bool:
        """Whether a statement, or anything in it, has an adjoint."""
        if stmt in self.debts:
            return True
        return any(self.reverses(s) for s in self.versions.inside.get(stmt, ()))

    def reverses(self, scope: Scope) -> bool:
        if scope not in self.active_scopes:
            self.active_scopes[scope] = any(self.reversed(s) for s in scope.stmts)
        return self.active_scopes[scope]

    # ---- values ------------------------------------------------------------

    def resolve(self, version: Version, frame: Frame) -> Expr:
        """Where a value is while `frame` is reversed."""
        if version in self.handed:
            return self.handed[version].place(())
        for f in frame.chain():
            if version in f.bound:
                return f.bound[version]
            if version.scope is f.scope and version.kind != "head":
                sym = f.rename.get(version.sym, version.sym)
                return Place(sym, (), sym.type)
        return Place(version.sym, (), version.sym.type)

    def value(self, stmt: Stmt, expr: Expr, frame: Frame, afters: dict[Sym, Version] | None = None) -> Expr:
        """An expression of `stmt` as the reverse sweep writes it."""
        reads = self.versions.reads.get(stmt, {})

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place):
                return None
            if not e.index:
                version = (afters or {}).get(e.sym) or reads.get(e.sym)
                if version is None or isinstance(e.sym.type, Array | Pointer):
                    return None
                found = self.resolve(version, frame)
                return e if isinstance(found, Place) and found.sym is e.sym and not found.index else found
            tape = self.load_tapes.get((stmt, e))
            if tape is not None:
                return tape.value(self.indices(tape.loops, frame))
            return None

        return rewrite(expr, change)

    def indices(self, loops: tuple[Loop, ...], frame: Frame) -> tuple[Expr, ...]:
        out = []
        for loop in loops:
            for f in frame.chain():
                if loop in f.iteration:
                    out.append(f.iteration[loop])
                    break
            else:
                raise AssertionError("not inside that loop")
        return tuple(out)

    # ---- slices ------------------------------------------------------------

    def slice(self, frame: Frame) -> list[Stmt]:
        """The statements of a body that run before its adjoints."""
        return Slice(self, frame).body(frame.scope.stmts, frame.scope)

    # ---- the reverse sweep of a body ---------------------------------------

    def reverse(self, frame: Frame, prologue: list[Stmt] | None = None) -> tuple[list[Stmt], list[Stmt]]:
        """What runs forward in a body, and its adjoints."""
        forward = [*(prologue or []), *self.enter(frame), *self.slice(frame)]
        chunks: list[list[Stmt]] = []
        for stmt in reversed(frame.scope.stmts):
            if self.reversed(stmt):
                chunks.append(self.adjoint(stmt, frame))
        adjoints = self.with_declarations(chunks, frame.scope)
        if frame.scope is self.main and any(isinstance(s, For | While | DoWhile) for s in forward):
            forward.insert(0, Banner("forward sweep"))
            adjoints.insert(0, Banner("reverse sweep"))
        return forward, adjoints

    @cached_property
    def main(self) -> Scope:
        """The body that most of the function is: inside the guards around it."""
        scope = self.versions.root
        while True:
            active = [s for s in scope.stmts if self.reversed(s)]
            inner = [s for stmt in active for s in self.versions.inside.get(stmt, ()) if self.reverses(s)]
            if len(active) != 1 or len(inner) != 1 or inner[0].role == "loop":
                return scope
            scope = inner[0]

    def enter(self, frame: Frame) -> list[Stmt]:
        """Restores and fresh names at the start of a body."""
        scope = frame.scope
        out: list[Stmt] = []
        done = self.recorded.slices.get(scope, {})
        written: dict[Sym, None] = {}
        for stmt in done:
            for target in targets(stmt):
                if not target.index and not isinstance(target.sym.type, Array | Pointer):
                    declared = self.versions.declared.get(target.sym, self.versions.root)
                    if not declared.within(scope):
                        written[target.sym] = None
        heads = list(self.versions.heads[scope.owner].values()) if scope.role == "loop" and scope.owner else []
        again = self.recorded.advances.get(scope.owner) if isinstance(scope.owner, For | While | DoWhile) else None
        restored: dict[Sym, Sym] = {}
        for head in heads:
            if head in frame.bound:
                continue
            if head in self.recorded.taped:
                tape = self.tapes[head]
                sym = Sym(head.sym.name, head.sym.type)
                indices = self.indices(tape.loops, frame)
                if again is not None:
                    assert isinstance(scope.owner, For | While | DoWhile)
                    indices = (_over(indices[0], self.strides[scope.owner]),)
                out.append(Restore(Place(sym, (), sym.type), tape.value(indices), True))
                frame.bound[head] = Place(sym, (), sym.type)
                restored[head.sym] = sym
                if head.sym in written and head not in self.recorded.held:
                    frame.rename[head.sym] = sym
            elif head in self.recorded.inverted:
                frame.bound[head] = self.inverted(head, frame)
        for version, tape in self.stored.items():
            if version.scope is scope:
                sym = Sym(version.sym.name, version.sym.type)
                value = tape.value(self.indices(tape.loops, frame))
                out.append(Restore(Place(sym, (), sym.type), value, True))
                frame.bound[version] = Place(sym, (), sym.type)
        if again is not None:
            assert isinstance(scope.owner, For | While | DoWhile)
            out.append(self.run_again(scope.owner, again, restored, frame))
        for sym in written:
            if sym in frame.rename:
                continue
            fresh = Sym(sym.name, sym.type)
            entry = self.versions.entry_of(scope, sym)
            if entry is not None and (scope, entry) in self.recorded.entered:
                out.append(Declare(fresh, self.resolve(entry, frame)))
            else:
                out.append(Declare(fresh))
            frame.rename[sym] = fresh
        return out

    def run_again(self, loop: Loop, again: Scope, restored: dict[Sym, Sym], frame: Frame) -> Stmt:
        """From the snapshot up to this iteration: the stretch of the loop that lies between."""
        scope = frame.scope
        r = Sym("r", INT)
        here = frame.iteration[loop]
        stride = Place(self.strides[loop], (), INT)
        first = Binary("*", _over(here, self.strides[loop]), stride, INT)
        inner = Frame(scope, frame.parent, dict(restored))
        inner.iteration[loop] = Place(r, (), INT)
        out: list[Stmt] = []
        count = self.recorded.counters.get(loop)
        if count is not None:
            assert isinstance(loop, For) and frame.parent is not None
            start = self.value(loop.init[0], count.start, frame.parent)
            step = self.value(loop, count.step, frame.parent)
            head = self.versions.heads[loop].get(count.sym)
            k = Sym(count.sym.name, count.sym.type)
            if head is not None:
                inner.bound[head] = Place(k, (), k.type)
            if not count.ascending or not isinstance(start, Const) or start.value != 0 or not count.unit:
                out.append(Declare(k, self.at(count, Place(r, (), INT), start, step, k)))
            elif head is not None:
                inner.bound[head] = converted(Place(r, (), INT), k.type)
        for head in self.versions.heads[loop].values():
            if head in self.recorded.inverted:
                inner.bound[head] = self.inverted(head, inner)
            elif head.sym in restored:
                inner.bound[head] = Place(restored[head.sym], (), head.sym.type)
        done = self.recorded.slices.get(again, {})
        for stmt in done:
            for target in targets(stmt):
                declared = self.versions.declared.get(target.sym, self.versions.root)
                if target.index or declared.within(scope) or target.sym in inner.rename:
                    continue
                fresh = Sym(target.sym.name, target.sym.type)
                inner.rename[target.sym] = fresh
                out.append(Declare(fresh))
        out += Slice(self, inner, done, True).body(scope.stmts, scope)
        place = Place(r, (), INT)
        step_ = Assign(place, Const(1, INT), "+=", spelling="++r")
        return For((Declare(r, first),), Binary("<", place, here, BOOL), (step_,), tuple(out))

    def inverted(self, head: Version, frame: Frame) -> Expr:
        """entry + step · iteration."""
        fixed = self.recorded.inverted[head]
        loop = head.stmt
        assert isinstance(loop, For | While | DoWhile)
        iteration = self.ordinal(loop, frame)
        assert isinstance(head.sym.type, Scalar)
        type_ = head.sym.type
        start = self.resolve(fixed.entry, frame)
        start = self.constant_of(fixed.entry) or start
        count: Expr = iteration
        if fixed.step not in (1, -1):
            count = Binary("*", Const(abs(fixed.step), INT), count, INT)
        if isinstance(start, Const) and start.value == 0 and fixed.step > 0:
            return converted(count, type_)
        return Binary("+" if fixed.step > 0 else "-", start, converted(count, type_), type_)

    def constant_of(self, version: Version) -> Const | None:
        """The literal that a version was made from, if it was."""
        if version.kind != "def":
            return None
        match version.stmt:
            case Declare(_, Const() as value) | Assign(_, Const() as value, None):
                return value
            case _:
                return None

    def ordinal(self, loop: Loop, frame: Frame) -> Expr:
        """How many iterations came before this one."""
        for f in frame.chain():
            if loop in f.iteration:
                count = self.recorded.counters.get(loop)
                index = f.iteration[loop]
                if count is None or count.unit:
                    if count is not None and not count.ascending:
                        raise AssertionError("a descending counter is not an ordinal")
                    return index
        raise AssertionError("not inside that loop")

    @cached_property
    def living(self) -> dict[Scope, dict[Sym, Sym]]:
        """The adjoints that live in each body."""
        out: dict[Scope, dict[Sym, Sym]] = {}
        for sym, adj in self.adjoints.items():
            scope = self.versions.declared.get(sym)
            if scope is not None and not isinstance(sym.type, Pointer) and adj.storage != "parameter":
                out.setdefault(scope, {})[adj] = sym
        return out

    def with_declarations(self, chunks: list[list[Stmt]], scope: Scope) -> list[Stmt]:
        """The chunks, each adjoint that lives in `scope` declared where it is first needed."""
        local = self.living.get(scope, {})
        out: list[Stmt] = []
        seen: set[Sym] = set()
        for chunk in chunks:
            names = [s for s in mentioned(chunk) if s in local and s not in seen]
            for sym in names:
                seen.add(sym)
                first = next((k for k, s in enumerate(chunk) if sym in mentioned([s])), None)
                assert first is not None
                stmt = chunk[first]
                if isinstance(stmt, Accumulate) and stmt.target.sym is sym and not stmt.target.index:
                    amount = stmt.amount
                    if sym not in mentioned_in(amount):
                        if stmt.negative:
                            amount = Unary("-", amount, amount.type)
                        chunk[first] = Declare(sym, converted(amount, sym.type))
                        continue
                zero: Expr | Initialiser
                if isinstance(sym.type, Array):
                    zero = Initialiser(())
                else:
                    zero = real(0.0, sym.type)
                chunk.insert(0, Declare(sym, zero))
            out += chunk
        return out

    # ---- the adjoint of a statement ----------------------------------------

    def adjoint(self, stmt: Stmt, frame: Frame) -> list[Stmt]:
        match stmt:
            case Declare() | Assign() | Evaluate():
                taken: list[Stmt] = []
                paid: list[Stmt] = []
                for owed in reversed(self.debts[stmt]):
                    take, pay = self.settle(owed, frame)
                    taken += take
                    paid += pay
                return [Quote(stmt), *taken, *paid] if taken or paid else []
            case If():
                return self.branch(stmt, frame)
            case Switch():
                return self.switch(stmt, frame)
            case For() | While() | DoWhile():
                return self.loop(stmt, frame)
            case _:
                raise AssertionError(stmt)

    def settle(self, owed: Owed, frame: Frame) -> tuple[list[Stmt], list[Stmt]]:
        """What a statement owes: its adjoint taken, where it must be first, and then paid out."""
        stmt = owed.stmt

        def val(expr: Expr) -> Expr:
            return self.value(stmt, expr, frame, owed.afters)

        adj = self.adjoints[owed.target.sym]
        index = tuple(val(e) for e in owed.target.index)
        mine = Place(adj, index, owed.target.type)
        seed: Expr = mine
        taken: list[Stmt] = []
        out: list[Stmt] = []
        uses = sum(_uses(item, owed.seed) for item in [*owed.items, *owed.own])
        if owed.temporary or (index and uses > 1):
            name = Sym("g", owed.target.type)
            taken.append(Declare(name, mine))
            seed = Place(name, (), name.type)
            if owed.temporary and not owed.stays:
                taken.append(Clear(mine))

        def amount(a: Amount) -> Expr:
            return val(_seeded(a, owed.seed, seed).magnitude())

        grouped: list[tuple[tuple[Guard, ...], list[Stmt]]] = []
        for item in owed.items:
            guards = tuple((val(_with_seed(c, owed.seed, seed)), sign) for c, sign in item.guards)
            statements = self.item(item, owed, frame, amount, val)
            if grouped and grouped[-1][0] == guards:
                grouped[-1][1].extend(statements)
            else:
                grouped.append((guards, statements))
        out += _nested(grouped)
        if not owed.temporary and not owed.stays:
            out += self.own(owed, mine, amount)
        return taken, self.restored_once(stmt, out, frame)

    @cached_property
    def tapes_of(self) -> dict[Stmt, list[tuple[Place, Tape]]]:
        """The elements that each statement reads from a tape."""
        out: dict[Stmt, list[tuple[Place, Tape]]] = {}
        for (stmt, place), tape in self.load_tapes.items():
            if not tape.register:
                out.setdefault(stmt, []).append((place, tape))
        return out

    def restored_once(self, stmt: Stmt, out: list[Stmt], frame: Frame) -> list[Stmt]:
        """An element's recorded value gets a name if the adjoint reads it twice."""
        for place, tape in self.tapes_of.get(stmt, ()):
            value = tape.value(self.indices(tape.loops, frame))
            count = sum(_occurrences(s, value) for s in out)
            if count > 1:
                name = Sym(f"{place.sym.name}_was", tape.element)
                was = Place(name, (), tape.element)
                out = [mapped(s, lambda e, v=value, w=was: w if e == v else None) for s in out]  # type: ignore[misc]
                out.insert(0, Restore(was, value, True))
        return out

    def own(self, owed: Owed, mine: Place, amount: Callable[[Amount], Expr]) -> list[Stmt]:
        """The target's own adjoint after the statement is undone."""
        if not owed.own:
            return [Clear(mine)]
        plain = [a for a in owed.own if a.amount.plain and _starts(a.amount, owed.seed)]
        rest = [a for a in owed.own if a not in plain]
        if len(plain) == 1:
            if not rest:
                return []
            total, negative = _total([(amount(a.amount), a.amount.negative) for a in rest])
            return [Accumulate(mine, total, "local", negative, rule=_rule(rest[0], owed))]
        rest = list(owed.own)
        total, negative = _total([(amount(a.amount), a.amount.negative) for a in rest])
        if negative:
            total = Unary("-", total, total.type)
        first = rest[0].amount
        if len(rest) == 1 and _starts(first, owed.seed) and not first.divisors and not negative:
            factors = replace(first, seed=None)
            return [Assign(mine, amount(factors), "*=")]
        if len(rest) == 1 and _starts(first, owed.seed) and len(first.divisors) == 1 and not negative:
            if not first.factors:
                divisor = amount(replace(first, seed=None, divisors=(), factors=first.divisors))
                return [Assign(mine, divisor, "/=")]
        return [Assign(mine, converted(total, mine.type))]

    def item(
        self,
        item: Item,
        owed: Owed,
        frame: Frame,
        amount: Callable[[Amount], Expr],
        val: Callable[[Expr], Expr],
    ) -> list[Stmt]:
        match item:
            case Bind(sym, a):
                total = amount(a)
                if a.negative:
                    total = Unary("-", total, total.type)
                return [Declare(sym, converted(total, sym.type))]
            case Add(place, a):
                target = self.adjoint_place(place, tuple(val(e) for e in place.index))
                how, why = self.how(owed.stmt, place) if place.index else ("local", "")
                return [Accumulate(target, amount(a), how, a.negative, why, _rule(item, owed))]
            case Invoke(call, active, seed, outs):
                total = amount(seed)
                if seed.negative:
                    total = Unary("-", total, total.type)
                return self.call(call, active, total, outs, val)
            case _:
                assert_never(item)

    def call(
        self,
        call: Call,
        active: tuple[int, ...],
        seed: Expr,
        outs: tuple[Sym | Place, ...],
        val: Callable[[Expr], Expr],
    ) -> list[Stmt]:
        function = self.invoke(call, active)
        args = [val(a) for a in call.args]
        if len(active) == 1:
            (out,) = outs
            assert isinstance(out, Sym)
            value = Call(function.name, (*args, seed), out.type, callee=function.name)
            return [Declare(out, value)]
        statements: list[Stmt] = []
        passed: list[Expr] = []
        for k, arg in enumerate(args):
            passed.append(arg)
            if k in active:
                out = outs[active.index(k)]
                if isinstance(out, Sym):
                    statements.append(Declare(out, real(0.0, out.type)))
                    place = Place(out, (), out.type)
                else:
                    place = self.adjoint_place(out, ())
                passed.append(AddressOf(place, Pointer(place.type)))
        from ..ir import VOID

        statements.append(Evaluate(Call(function.name, (*passed, seed), VOID, callee=function.name)))
        return statements

    def adjoint_place(self, place: Place, index: tuple[Expr, ...]) -> Place:
        """Where a place's adjoint is; that of a scalar may lie behind a pointer."""
        adj = self.adjoints[place.sym]
        if not index and isinstance(adj.type, Pointer):
            index = (Const(0, INT),)
        return Place(adj, index, place.type)

    # ---- branches ----------------------------------------------------------

    def inner(self, scope: Scope, frame: Frame) -> list[Stmt]:
        """The reverse sweep of a branch's body."""
        if not self.reverses(scope):
            return []
        forward, adjoints = self.reverse(Frame(scope, frame))
        return [*forward, *adjoints]

    def branch(self, stmt: If, frame: Frame) -> list[Stmt]:
        then_scope, else_scope = self.versions.inside[stmt]
        cond = self.condition(stmt, frame)
        then, other = self.inner(then_scope, frame), self.inner(else_scope, frame)
        if isinstance(cond, Const):
            return then if cond.value else other
        if not then and not other:
            return []
        if not then:
            if self.returns_early(stmt, frame):
                return [If(cond, (Return(),), (), stmt.span), *other]
            return [If(negation(cond), tuple(other), (), stmt.span)]
        return [If(cond, tuple(then), tuple(other), stmt.span)]

    def returns_early(self, stmt: If, frame: Frame) -> bool:
        """Whether threads that returned here owe nothing: `if (i >= n) return;`."""
        scope: Scope | None = frame.scope
        if not self.early or not (stmt.then and len(stmt.then) == 1 and isinstance(stmt.then[0], Return)):
            return False
        current: Stmt = stmt
        while scope is not None:
            if scope.role == "loop":
                return False
            for before in scope.stmts:
                if before is current:
                    break
                if self.reversed(before) and not (
                    isinstance(before, Declare) and not isinstance(before.sym.type, Array)
                ):
                    return False
            if scope.owner is None:
                return True
            owner = scope.owner
            if not isinstance(owner, If) or scope.role != "else" or not leaves(owner.then):
                return False
            if not self.returns_plainly(owner):
                return False
            current, scope = owner, scope.parent
        return True

    def returns_plainly(self, stmt: If) -> bool:
        return len(stmt.then) == 1 and isinstance(stmt.then[0], Return)

    def condition(self, stmt: If, frame: Frame) -> Expr:
        """The condition as the reverse sweep decides it: again, or from how the loop was left."""
        loop = self.leaving(stmt)
        if loop is None:
            return self.value(stmt, stmt.cond, frame)
        exit_code = self.exit_codes[loop]
        then_leaves = leaves(stmt.then)
        codes = self.codes(loop, stmt.then if then_leaves else stmt.other)
        index = self.trip_index(loop, frame)
        last = Binary("==", index, _minus_one(self.trips[loop]), BOOL)
        test: Expr = last
        tests: Expr | None = None
        for code in codes:
            is_code = Binary("==", Place(exit_code, (), INT), Const(code, INT), BOOL)
            tests = is_code if tests is None else Binary("||", tests, is_code, BOOL)
        assert tests is not None
        test = Binary("&&", last, tests, BOOL)
        return test if then_leaves else negation(test)

    def trip_index(self, loop: Loop, frame: Frame) -> Expr:
        for f in frame.chain():
            if loop in f.iteration:
                return f.iteration[loop]
        raise AssertionError

    def leaving(self, stmt: If) -> Loop | None:
        """The loop that one branch always leaves by a break, where that isn't for integers to say again."""
        if leaves(stmt.then) == leaves(stmt.other):
            return None
        branch = stmt.then if leaves(stmt.then) else stmt.other
        if not _has_break(branch):
            return None
        if integral(stmt.cond):
            return None
        scope: Scope | None = self.versions.scope_of[stmt]
        while scope is not None:
            if scope.role == "loop":
                assert isinstance(scope.owner, For | While | DoWhile)
                return scope.owner
            scope = scope.parent
        return None

    def codes(self, loop: Loop, branch: tuple[Stmt, ...]) -> list[int]:
        every = self.versions.breaks[loop]
        return [k + 1 for k, b in enumerate(every) if b in _breaks_in(branch)]

    def switch(self, stmt: Switch, frame: Frame) -> list[Stmt]:
        selector = self.value(stmt, stmt.selector, frame)
        cases: list[Case] = []
        scopes = self.versions.inside[stmt]
        for case, scope in zip(stmt.cases, scopes, strict=False):
            body = self.inner(scope, frame)
            if body or None in case.labels:
                cases.append(replace(case, body=(*body, Break())))
        if not any(len(c.body) > 1 for c in cases):
            return []
        default = next((c for c in cases if None in c.labels), None)
        if default is not None and len(default.body) == 1 and default.labels == (None,):
            cases.remove(default)
        return [Switch(selector, tuple(cases), stmt.span)]

    # ---- loops -------------------------------------------------------------

    def loop(self, stmt: Loop, frame: Frame) -> list[Stmt]:
        scope = self.versions.inside[stmt][0]
        if not self.reverses(scope):
            return []
        count = self.recorded.counters.get(stmt)
        inner = Frame(scope, frame)
        out: list[Stmt] = []
        for tapes, names in ((self.handed_trips, self.trips), (self.handed_exits, self.exit_codes)):
            if stmt in tapes:
                out.append(Restore(Place(names[stmt], (), INT), tapes[stmt].place(()), True))
        if stmt in self.handed_strides:
            out.append(Restore(Place(self.strides[stmt], (), INT), self.handed_strides[stmt].place(()), True))
        if count is None:
            trip = Sym("trip", INT)
            inner.iteration[stmt] = Place(trip, (), INT)
            body = self.whole(inner)
            return [*out, self.countdown(trip, self.trips[stmt], body, stmt)]
        assert isinstance(stmt, For)
        return [*out, *self.counted(stmt, count, inner, frame)]

    def whole(self, frame: Frame) -> list[Stmt]:
        forward, adjoints = self.reverse(frame)
        return [*forward, *adjoints]

    def countdown(self, trip: Sym, trips: Sym, body: list[Stmt], stmt: Loop) -> Stmt:
        place = Place(trip, (), INT)
        return For(
            (Declare(trip, _minus_one(trips)),),
            Binary(">=", place, Const(0, INT), BOOL),
            (Assign(place, Const(1, INT), "-=", spelling=f"--{trip.name}"),),
            tuple(body),
            stmt.span,
        )

    def counted(self, stmt: For, count: Counter, inner: Frame, frame: Frame) -> list[Stmt]:
        """The same values in opposite order; or in the same, where the order means nothing."""
        first = stmt.init[0]
        k = Sym(count.sym.name, count.sym.type)
        place = Place(k, (), k.type)
        head = self.versions.heads[stmt].get(count.sym)
        if head is not None:
            inner.bound[head] = place
        start = self.value(first, count.start, frame)
        bound = self.value(stmt, count.bound, frame)
        step = self.value(stmt, count.step, frame)
        inner.iteration[stmt] = self.normal(count, place, start, bound)
        assert isinstance(k.type, Scalar)
        unsigned = k.type.kind == "unsigned"
        body = self.whole(inner)
        if stmt in self.trips:
            trips = self.trips[stmt]
            return [self.from_trips(stmt, count, k, start, step, trips, body)]
        if self.commutes(stmt):
            cond = Binary(count.op, place, bound, BOOL)
            op = "+=" if count.ascending else "-="
            spelling = _spelled(op, k, count.unit)
            return [For((Declare(k, start),), cond, (Assign(place, step, op, spelling=spelling),), tuple(body), stmt.span, stmt.pragmas)]
        if not count.unit or unsigned:
            return [self.by_ordinal(stmt, count, k, start, bound, step, body)]
        one = Const(1, INT)
        spelled = _spelled("-=" if count.ascending else "+=", k, True)
        if count.ascending:
            top = bound if count.op == "<=" else _less(bound, 1)
            header = Declare(k, converted(top, k.type))
            cond = Binary(">=", place, converted(start, k.type), BOOL)
            back = Assign(place, one, "-=", spelling=spelled)
        else:
            low = bound if count.op == ">=" else _plus(bound, 1)
            header = Declare(k, converted(low, k.type))
            cond = Binary("<=", place, converted(start, k.type), BOOL)
            back = Assign(place, one, "+=", spelling=spelled)
        return [For((header,), cond, (back,), tuple(body), stmt.span, stmt.pragmas)]

    def normal(self, count: Counter, k: Place, start: Expr, bound: Expr) -> Expr:
        """The iteration's place on the tape: from zero, a different one for each iteration."""
        low = start if count.ascending else bound
        offset: Expr = k
        extra = 1 if (not count.ascending and count.op == ">") else 0
        if not (isinstance(low, Const) and low.value == 0):
            offset = Binary("-", k, converted(low, k.type), k.type)
        if extra:
            offset = Binary("-", offset, Const(1, INT), k.type)
        if not count.unit:
            offset = Binary("/", offset, converted(count.step, k.type), k.type)
        return offset

    def from_trips(
        self, stmt: For, count: Counter, k: Sym, start: Expr, step: Expr, trips: Sym, body: list[Stmt]
    ) -> Stmt:
        """From the iteration that left the loop down to the first."""
        place = Place(k, (), k.type)
        if count.unit and count.ascending and isinstance(start, Const):
            top: Expr = _minus_one(trips)
            if start.value != 0:
                top = _less(_sum(start, Place(trips, (), INT)), 1)
            kind = k.type
            assert isinstance(kind, Scalar)
            if kind.kind == "signed":
                return For(
                    (Declare(k, converted(top, k.type)),),
                    Binary(">=", place, converted(start, k.type), BOOL),
                    (Assign(place, Const(1, INT), "-=", spelling=f"--{k.name}"),),
                    tuple(body),
                    stmt.span,
                )
        trip = Sym("trip", INT)
        t = Place(trip, (), INT)
        value = self.at(count, t, start, step, k)
        return self.countdown(trip, trips, [Declare(k, value), *body], stmt)

    def at(self, count: Counter, ordinal: Expr, start: Expr, step: Expr, k: Sym) -> Expr:
        """The counter's value in the iteration with this number."""
        amount: Expr = ordinal
        if not (isinstance(step, Const) and step.value == 1):
            amount = Binary("*", converted(ordinal, k.type), converted(step, k.type), k.type)
        if isinstance(start, Const) and start.value == 0 and count.ascending:
            return converted(amount, k.type)
        return Binary("+" if count.ascending else "-", converted(start, k.type), converted(amount, k.type), k.type)

    def by_ordinal(
        self, stmt: For, count: Counter, k: Sym, start: Expr, bound: Expr, step: Expr, body: list[Stmt]
    ) -> Stmt:
        """`for (trip = N - 1; trip >= 0; --trip) { k = start + trip * step; … }`."""
        trip = Sym("trip", INT)
        low, high = (start, bound) if count.ascending else (bound, start)
        kind = k.type
        distance: Expr = Binary("-", converted(high, kind), converted(low, kind), kind)
        if count.op in ("<=", ">="):
            distance = _plus(distance, 1)
        strict = count.op in ("<", ">", "!=")
        if not (isinstance(step, Const) and step.value == 1):
            up = _less(_sum(distance, converted(step, kind)), 1)
            distance = Binary("/", up, converted(step, kind), kind)
        nonempty = Binary("<" if strict else "<=", converted(low, kind), converted(high, kind), BOOL)
        from ..ir import Select

        number = Select(nonempty, converted(distance, INT), Const(0, INT), INT)
        t = Place(trip, (), INT)
        return For(
            (Declare(trip, _less(number, 1)),),
            Binary(">=", t, Const(0, INT), BOOL),
            (Assign(t, Const(1, INT), "-=", spelling="--trip"),),
            (Declare(k, self.at(count, t, start, step, k)), *body),
            stmt.span,
        )

    def commutes(self, stmt: For) -> bool:
        """Whether the iterations' adjoints may run in any order.

        They may if no adjoint that outlives an iteration is both read and added to, or
        overwritten: carried variables are only summed up, seeds only read.
        """
        scope = self.versions.inside[stmt][0]
        read: set[Sym] = set()
        added: set[Sym] = set()
        for inner, place in self.versions.scope_of.items():
            if inner not in self.debts or not place.within(scope):
                continue
            for owed in self.debts[inner]:
                if self.outlives(owed.target.sym, scope):
                    if not owed.stays and self.adjoints[owed.target.sym] not in self.constant_seeds:
                        return False
                    read.add(owed.target.sym)
                for item in (*owed.items, *owed.own):
                    match item:
                        case Add(target):
                            added.add(target.sym)
                        case Invoke(_, _, _, outs):
                            added.update(out.sym for out in outs if isinstance(out, Place))
                        case _:
                            pass
        return not any(self.outlives(sym, scope) for sym in read & added)

    def outlives(self, sym: Sym, scope: Scope) -> bool:
        return not self.versions.declared.get(sym, self.versions.root).within(scope)


class Slice:
    """Prints the statements of a slice, with records and copies at their places."""

    def __init__(
        self,
        builder: Builder,
        frame: Frame,
        done: dict[Stmt, None] | None = None,
        again: bool = False,
        whole: bool = False,
    ) -> None:
        self.b = builder
        self.frame = frame
        self.scope = frame.scope
        self.again = again
        self.whole = whole  # K_fwd: everything runs, and what K_adj needs is handed over
        self.done = builder.recorded.slices.get(self.scope, {}) if done is None else done
        self.forward: dict[Loop, Expr] = {}
        self.pending = self._undeclared()
        self.records: dict[Stmt, list[tuple[Place, Tape]]] = {}
        self.before: dict[Stmt, list[Tape]] = {}
        for (stmt, place), tape in builder.load_tapes.items():
            if (whole if tape.is_global and builder.split else tape.home is self.scope and not again):
                self.records.setdefault(stmt, []).append((place, tape))
                top = builder.versions.ancestor_in(self.scope, stmt)
                if not tape.is_global and not (top is stmt and tape.register):
                    self.before.setdefault(top, []).append(tape)
        self.copied: dict[Stmt | None, list[Version]] = {}
        for version in builder.recorded.copies:
            if version.scope is self.scope and not again and not whole:
                self.copied.setdefault(version.stmt, []).append(version)

    def _undeclared(self) -> set[Sym]:
        """Variables that the slice uses though it doesn't run their declaration."""
        out: set[Sym] = set()
        v = self.b.versions
        for stmt in self.done:
            for target in targets(stmt):
                out.add(target.sym)
        for stmt in self.done:
            if isinstance(stmt, Declare):
                out.discard(stmt.sym)
        return {s for s in out if v.declared.get(s, v.root).within(self.scope)}

    def sym(self, sym: Sym) -> Sym:
        return self.frame.rename.get(sym, sym)

    def expr(self, stmt: Stmt, expr: Expr) -> Expr:
        reads = self.b.versions.reads.get(stmt, {})

        def change(e: Expr) -> Expr | None:
            if not isinstance(e, Place):
                return None
            if not e.index:
                if isinstance(e.sym.type, Array | Pointer):
                    return None
                if e.sym in self.frame.rename:
                    sym = self.frame.rename[e.sym]
                    return replace(e, sym=sym) if sym is not e.sym else None
                version = reads.get(e.sym)
                if version is None:
                    return None
                if version in self.b.handed and not self.whole:
                    return self.b.handed[version].place(())
                if version in self.b.stored and self.scope is version.scope and not self.again:
                    return self.b.resolve(version, self.frame)
                inside = version.scope.within(self.scope) and not (
                    version.kind == "head" and version.scope is self.scope
                )
                if inside:
                    return None
                found = self.b.resolve(version, self.frame)
                return e if isinstance(found, Place) and found.sym is e.sym and not found.index else found
            tape = self.b.load_tapes.get((stmt, e))
            if tape is None or self.whole:
                return None
            late = tape.home is not self.scope and not tape.home.within(self.scope)
            if late or (self.b.split and tape.is_global):
                return tape.value(self.indices(tape.loops))
            return None

        return rewrite(expr, change)

    def indices(self, loops: tuple[Loop, ...]) -> tuple[Expr, ...]:
        out = []
        for loop in loops:
            if loop in self.forward:
                out.append(self.forward[loop])
            else:
                out += self.b.indices((loop,), self.frame)
        return tuple(out)

    def body(self, stmts: tuple[Stmt, ...], scope: Scope) -> list[Stmt]:
        out: list[Stmt] = []
        if scope is self.scope:
            for version in self.copied.get(None, ()):
                out.append(self.copy(version))
        for stmt in stmts:
            for tape in self.before.get(stmt, ()):
                out.append(Declare(tape.sym)) if not tape.is_global else None
            out += self.recorded(stmt, after=False)
            for new in self.stmt(stmt, scope):
                _append(out, new)
            out += self.recorded(stmt, after=True)
            for version in self.copied.get(stmt, ()):
                out.append(self.copy(version))
            for version in self.b.versions.makes.get(stmt, {}).values():
                if version in self.b.stored and self.records_loop(self.b.stored[version].loops[0]):
                    tape = self.b.stored[version]
                    out.append(tape.record(self.indices(tape.loops), self.variable(version), self.b.overrun))
            if self.whole:
                out += self.hand_over(stmt)
        return out

    def hand_over(self, stmt: Stmt) -> list[Stmt]:
        """What K_adj needs of a statement's results."""
        out: list[Stmt] = []
        for version in self.b.versions.makes.get(stmt, {}).values():
            if version in self.b.handed:
                out.append(Record(self.b.handed[version].place(()), self.variable(version)))
        if isinstance(stmt, For | While | DoWhile):
            for tapes, names in (
                (self.b.handed_trips, self.b.trips),
                (self.b.handed_exits, self.b.exit_codes),
                (self.b.handed_strides, self.b.strides),
            ):
                if stmt in tapes:
                    out.append(Record(tapes[stmt].place(()), Place(names[stmt], (), INT)))
        return out

    def copy(self, version: Version) -> Stmt:
        sym = Sym(f"tape_{version.sym.name}", version.sym.type, "tape", of=version.sym)
        self.b.copies[version] = sym
        self.frame.bound[version] = Place(sym, (), sym.type)
        source = self.sym(version.sym)
        return Record(Place(sym, (), sym.type), Place(source, (), source.type), declares=True)

    def recorded(self, stmt: Stmt, after: bool) -> list[Stmt]:
        """The records of what a statement reads: before it, or of the local that it loads into."""
        out: list[Stmt] = []
        for place, tape in self.records.get(stmt, ()):
            local = loaded(stmt, place) if stmt in self.done else None
            if (local is not None) != after:
                continue
            value = self.expr(stmt, place)
            if local is not None:
                sym = self.sym(local)
                value = Place(sym, (), sym.type)
            if tape.register and self.b.versions.scope_of[stmt] is self.scope:
                out.append(Record(tape.place(()), value, declares=True))
            else:
                out.append(tape.record(self.indices(tape.loops), value, self.b.overrun))
        return out

    def stmt(self, stmt: Stmt, scope: Scope) -> list[Stmt]:
        if isinstance(stmt, Declare) and stmt not in self.done and stmt.sym in self.pending:
            return [replace(stmt, init=None)]
        if isinstance(stmt, Declare) and isinstance(stmt.sym.type, Array) and stmt.init is None:
            return [stmt] if self.touched(stmt.sym) else []
        if stmt not in self.done and not self.holds_records(stmt):
            return []
        match stmt:
            case Declare(_, init):
                if isinstance(init, Initialiser):
                    values = tuple(self.expr(stmt, e) for e in init.values)
                    return [replace(stmt, init=Initialiser(values))]
                return [replace(stmt, init=None if init is None else self.expr(stmt, init))]
            case Assign(target, value, op):
                place = self.target(stmt, target)
                before = self.expr(stmt, Place(target.sym, (), target.type)) if not target.index else place
                if op is not None and not (isinstance(before, Place) and before.sym is place.sym):
                    # The variable doesn't hold what it is changed from: spelled out.
                    both = self.expr(stmt, value)
                    whole = Binary(op[:-1], converted(before, value.type), both, value.type)
                    return [Assign(place, converted(whole, place.type), None, stmt.span)]
                return [replace(stmt, target=place, value=self.expr(stmt, value))]
            case Evaluate(call):
                new = self.expr(stmt, call)
                assert isinstance(new, Call)
                args = tuple(
                    replace(a, place=self.target(stmt, a.place)) if isinstance(a, AddressOf) else a
                    for a in new.args
                )
                return [replace(stmt, call=replace(new, args=args))]
            case If():
                return self.branch(stmt)
            case Switch():
                cases = []
                for case, inner in zip(stmt.cases, self.b.versions.inside[stmt], strict=False):
                    cases.append(replace(case, body=(*self.body(inner.stmts, inner), Break())))
                return [replace(stmt, selector=self.expr(stmt, stmt.selector), cases=tuple(cases))]
            case For() | While() | DoWhile():
                return self.loop(stmt)
            case Break():
                return [*self.leave(stmt), Break(stmt.span)]
            case Return():
                return [stmt] if self.whole else []
            case _:
                raise AssertionError(stmt)

    def touched(self, sym: Sym) -> bool:
        return any(
            any(t.sym is sym for t in targets(s)) for s in self.done
        )

    def holds_records(self, stmt: Stmt) -> bool:
        return False

    def target(self, stmt: Stmt, target: Place) -> Place:
        if not target.index:
            return replace(target, sym=self.sym(target.sym))
        return replace(target, index=tuple(self.expr(stmt, e) for e in target.index))

    def branch(self, stmt: If) -> list[Stmt]:
        then_scope, else_scope = self.b.versions.inside[stmt]
        if self.again and leaves(stmt.then):
            return self.body(else_scope.stmts, else_scope)
        if self.again and leaves(stmt.other):
            return self.body(then_scope.stmts, then_scope)
        cond = self.expr(stmt, stmt.cond)
        then = self.body(then_scope.stmts, then_scope)
        other = self.body(else_scope.stmts, else_scope)
        if then and isinstance(then[-1], Break | Return):
            return [If(cond, tuple(then), (), stmt.span), *other]
        if other and isinstance(other[-1], Break | Return):
            return [If(negation(cond), tuple(other), (), stmt.span), *then]
        if not then and not other:
            return []
        if not then:
            return [If(negation(cond), tuple(other), (), stmt.span)]
        return [If(cond, tuple(then), tuple(other), stmt.span)]

    def leave(self, stmt: Break) -> list[Stmt]:
        for loop, sym in self.b.exit_codes.items():
            breaks = self.b.versions.breaks.get(loop, [])
            if stmt in breaks and self.records_loop(loop):
                return [Assign(Place(sym, (), INT), Const(breaks.index(stmt) + 1, INT))]
        return []

    def records_loop(self, loop: Loop) -> bool:
        """Whether this slice is the one whose frame reverses the loop."""
        if self.b.split and loop in self.b.handed_loops:
            return self.whole
        return self.b.versions.scope_of[loop] is self.scope and not self.again

    def loop(self, stmt: Loop) -> list[Stmt]:
        body_scope = self.b.versions.inside[stmt][0]
        recording = self.records_loop(stmt)
        before: list[Stmt] = []
        start: list[Stmt] = []
        count = self.b.recorded.counters.get(stmt) or self.b_counter(stmt)
        taped = [
            v for v in self.b.versions.heads[stmt].values() if recording and v in self.b.recorded.taped
        ]
        trips = self.b.trips.get(stmt) if recording else None
        stored = [t for t in self.b.stored.values() if recording and t.loops[0] is stmt]
        needs_index = bool(taped) or bool(stored) or self.tapes_inside(stmt)
        before += [Declare(t.sym) for t in stored if not t.is_global]
        if trips is None and count is None and needs_index:
            trips = Sym("trips", INT)
        if count is not None:
            k = self.sym(count.sym)
            first = stmt.init[0] if isinstance(stmt, For) else stmt
            self.forward[stmt] = self.b.normal(
                count, Place(k, (), k.type), self.expr(first, count.start), self.expr(stmt, count.bound)
            )
        elif trips is not None:
            self.forward[stmt] = Place(trips, (), INT)
        if trips is not None:
            before.append(Declare(trips, Const(0, INT)))
        if recording and stmt in self.b.exit_codes:
            before.append(Declare(self.b.exit_codes[stmt], Const(0, INT)))
        for version in taped:
            tape = self.b.tapes[version]
            if not tape.is_global:
                before.append(Declare(tape.sym))
        if taped and stmt in self.b.strides:
            before.append(Declare(self.b.strides[stmt], Const(1, INT)))
            start.append(self.snapshot(stmt, [(self.b.tapes[v], v) for v in taped]))
        else:
            for version in taped:
                tape = self.b.tapes[version]
                start.append(tape.record(self.indices(tape.loops), self.variable(version), self.b.overrun))
        broken = bool(self.b.versions.breaks.get(stmt))
        if trips is not None and count is None and broken:
            # The records at the start come before the count, those of the body after it.
            self.forward[stmt] = _minus_one(trips)
        counting: list[Stmt] = []
        if trips is not None:
            counting.append(Assign(Place(trips, (), INT), Const(1, INT), "+=", spelling=f"++{trips.name}"))
        step = stmt.step if isinstance(stmt, For) else ()
        stmts = self.body(body_scope.stmts[: len(body_scope.stmts) - len(step)], body_scope)
        inner = [*start, *counting, *stmts] if broken else [*start, *stmts, *counting]
        match stmt:
            case For():
                init = [s for first in stmt.init for s in self.stmt(first, self.scope)]
                steps = [s for last in stmt.step for s in self.stmt(last, body_scope)]
                cond = None if stmt.cond is None else self.expr(stmt, stmt.cond)
                if not steps and not init and cond is not None:
                    return [*before, While(cond, tuple(inner), stmt.span, stmt.pragmas)]
                return [
                    *before,
                    For(tuple(init), cond, tuple(steps), tuple(inner), stmt.span, stmt.pragmas),
                ]
            case While():
                return [*before, While(self.expr(stmt, stmt.cond), tuple(inner), stmt.span, stmt.pragmas)]
            case DoWhile():
                return [*before, DoWhile(tuple(inner), self.expr(stmt, stmt.cond), stmt.span, stmt.pragmas)]
            case _:
                assert_never(stmt)

    def variable(self, version: Version) -> Place:
        sym = self.sym(version.sym)
        return Place(sym, (), sym.type)

    def snapshot(self, stmt: Loop, tapes: list[tuple[Tape, Version]]) -> Stmt:
        """Every so many iterations keep the state; when all places are taken, keep every other one."""
        here = self.forward[stmt]
        stride = Place(self.b.strides[stmt], (), INT)
        number = tapes[0][0].counts[0]
        assert isinstance(number, Const)
        j = Sym("j", INT)
        at = Place(j, (), INT)
        twice = Binary("*", Const(2, INT), at, INT)
        thin = For(
            (Declare(j, Const(1, INT)),),
            Binary("<", at, Const(int(number.value) // 2, INT), BOOL),
            (Assign(at, Const(1, INT), "+=", spelling="++j"),),
            tuple(Assign(t.place((at,)), t.place((twice,))) for t, _ in tapes),
        )
        full = Binary("==", here, Binary("*", number, stride, INT), BOOL)
        keep: list[Stmt] = [
            If(full, (thin, Assign(stride, Const(2, INT), "*="))),
            *(Record(t.place((_over(here, self.b.strides[stmt]),)), self.variable(v)) for t, v in tapes),
        ]
        due = Binary("==", Binary("%", here, stride, INT), Const(0, INT), BOOL)
        return If(due, tuple(keep))

    def b_counter(self, stmt: Loop) -> Counter | None:
        from ..analysis.loops import counter

        return counter(stmt, self.b.versions.writes[stmt])

    def tapes_inside(self, stmt: Loop) -> bool:
        """Whether a tape is indexed by this loop's iterations while the slice runs through it."""
        tapes = [*self.b.load_tapes.values()]
        return any(any(x is stmt for x in tape.loops) for tape in tapes)


def loaded(stmt: Stmt, place: Place) -> Sym | None:
    """The local of the same type that a statement does nothing but load an element into."""
    match stmt:
        case (Declare(sym, init) | Assign(Place(sym, ()), init, None)) if init == place and sym.type == place.type:
            return sym
        case _:
            return None


def _append(out: list[Stmt], stmt: Stmt) -> None:
    """`float m; m = e;` is `float m = e;`."""
    match stmt:
        case Assign(Place(sym, ()), value, None) if (
            out and isinstance(out[-1], Declare) and out[-1].sym is sym and out[-1].init is None
        ):
            out[-1] = Declare(sym, value, stmt.span)
        case _:
            out.append(stmt)


# ---- small things ------------------------------------------------------------


def _occurrences(stmt: Stmt, value: Expr) -> int:
    own = sum(e == value for expr in expressions(stmt) for e in walk(expr))
    return own + sum(_occurrences(s, value) for body in bodies(stmt) for s in body)


def _starts(amount: Amount, seed: Sym) -> bool:
    return isinstance(amount.seed, Place) and amount.seed.sym is seed


def _seeded(amount: Amount, seed: Sym, value: Expr) -> Amount:
    """The amount with its seed's value in place; also in factors that compare it."""
    return replace(amount, seed=value) if _starts(amount, seed) else amount


def _with_seed(expr: Expr, seed: Sym, value: Expr) -> Expr:
    def change(e: Expr) -> Expr | None:
        return value if isinstance(e, Place) and e.sym is seed else None

    return rewrite(expr, change)


def _uses(item: Item, seed: Sym) -> int:
    def of(amount: Amount) -> int:
        return int(_starts(amount, seed))

    guards = sum(any(isinstance(e, Place) and e.sym is seed for e in walk(c)) for c, _ in item.guards)
    match item:
        case Bind() | Add():
            return of(item.amount) + guards
        case Invoke():
            return of(item.seed) + guards
        case _:
            assert_never(item)


def _total(terms: list[tuple[Expr, bool]]) -> tuple[Expr, bool]:
    """A sum of signed terms; its own sign if all of it is negative."""
    positive = [t for t, n in terms if not n]
    negative = [t for t, n in terms if n]
    if not positive:
        total = negative[0]
        for t in negative[1:]:
            total = add(total, t)
        return total, True
    total = positive[0]
    for t in positive[1:]:
        total = add(total, t)
    for t in negative:
        total = subtract(total, t)
    return total, False


def _rule(item: Add, owed: Owed) -> str:
    return item.rule


def _nested(groups: list[tuple[tuple[Guard, ...], list[Stmt]]]) -> list[Stmt]:
    """Statements under their guards, neighbours with the same outer guard together."""
    out: list[Stmt] = []
    k = 0
    while k < len(groups):
        guards, stmts = groups[k]
        if not guards:
            out += stmts
            k += 1
            continue
        first, sign = guards[0]
        same: list[tuple[tuple[Guard, ...], list[Stmt]]] = []
        while k < len(groups) and groups[k][0] and groups[k][0][0] == (first, sign):
            same.append((groups[k][0][1:], groups[k][1]))
            k += 1
        inner = _nested(same)
        if out and isinstance(out[-1], If) and not out[-1].other and _opposite(out[-1].cond, first, sign):
            out[-1] = replace(out[-1], other=tuple(inner))
            continue
        out.append(If(first if sign else negation(first), tuple(inner)))
    return out


def _opposite(cond: Expr, first: Expr, sign: bool) -> bool:
    return not sign and cond == first


def _over(expr: Expr, stride: Sym) -> Expr:
    return Binary("/", converted(expr, INT), Place(stride, (), INT), INT)


def _minus_one(sym: Sym) -> Expr:
    return Binary("-", Place(sym, (), INT), Const(1, INT), INT)


def _less(expr: Expr, by: int) -> Expr:
    return shifted(expr, -by)


def _plus(expr: Expr, by: int) -> Expr:
    return shifted(expr, by)


def _sum(a: Expr, b: Expr) -> Expr:
    return Binary("+", a, converted(b, a.type), a.type)


def _spelled(op: str, sym: Sym, unit: bool) -> str | None:
    if not unit:
        return None
    return f"{'++' if op == '+=' else '--'}{sym.name}"


def _has_break(body: tuple[Stmt, ...]) -> bool:
    return bool(_breaks_in(body))


def _breaks_in(body: tuple[Stmt, ...]) -> list[Break]:
    from ..analysis.tbr import _breaks

    return _breaks(body)


def integral(cond: Expr) -> bool:
    """Whether a condition is decided by integers alone."""
    for e in walk(cond):
        if isinstance(e.type, Scalar) and e.type.is_float:
            return False
    return True


def mentioned(stmts: list[Stmt]) -> dict[Sym, None]:
    """Symbols in statements, in order of appearance."""
    return symbols(stmts)


def mentioned_in(expr: Expr) -> set[Sym]:
    out = set()
    for e in walk(expr):
        if isinstance(e, Place):
            out.add(e.sym)
        if isinstance(e, AddressOf):
            out.add(e.place.sym)
    return out


_ = (Cast, loads, TRUE, leaves)
