"""Tangents along several directions at once, from the statements of tangents along one.

    float t = expf(s);                    float t = expf(s);
    float tan_t = t * tan_s;       ->     float u = t * t;
    float u = t * t;                      float tan_u[8];
    float tan_u = 2.0f * t * tan_t;       for (int d = 0; d < 8; ++d) {
                                              const float tan_t = t * tan_s[d];
                                              tan_u[d] = 2.0f * t * tan_t;
                                          }

The primal's statements run once. A tangent waits for the next ones, past statements that neither change what
it reads nor read tangents, so that one loop has them all; what costs more than a load and is the same along
each direction is computed before the loop.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ...analysis.atomics import is_atomic
from ...diagnostics import Code, Rejected, diagnose
from ...fixpoint import rounds
from ...ir import (
    INT,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Parameter,
    Place,
    Pointer,
    Scalar,
    Stmt,
    Sym,
    all_parts,
    calls,
    collective,
    expressions,
    rebuilt,
    scalar_type,
    statements,
    walk,
)
from ..common.adjoint_names import by_operation
from ..common.jumps import any_has
from ..common.symbol_uses import mapped
from .dependence import base
from .direction_loops import Loop, over
from .direction_tests import Tests
from .expressions import expensive
from .layouts import DIRECTIONS, Layout, Several, laid, refused, whole_of
from .linear_forms import moves


@dataclass(frozen=True)
class Passed:
    """The tangents that a device function's tangent takes, by position; `key` is the function's."""

    key: str
    tangents: Mapping[int, Layout]


class Unfit(Exception):
    """The tangents of an argument aren't as a function takes them; with the function's key."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass
class Group:
    """Tangents of adjacent statements: `reads` is the memory of the values that they need."""

    stmts: list[Stmt] = field(default_factory=list)
    reads: set[object] = field(default_factory=set)


class Directions:
    """Makes the arrays of a function's tangents. `passed` are the tangents that other functions take.

    `single` is the pointer to the tangent of the returned value.
    """

    several: Several = DIRECTIONS

    def __init__(
        self,
        count: int,
        tangents: Iterable[Sym],
        passed: Mapping[str, Passed],
        single: Sym | None = None,
        is_kernel: bool = False,
    ) -> None:
        self.count, self.passed, self.is_kernel = count, passed, is_kernel
        self.known = {sym: self.laid(sym) for sym in tangents}
        if single is not None:
            self.known[single] = laid(single, count, single=True)
        self.pointers: frozenset[Sym] = frozenset()
        self.uses: Bag[Sym] = Bag()
        self._start: list[Stmt] = []

    def laid(self, sym: Sym) -> Layout:
        """Lay out the tangents of a variable. Raises Rejected."""
        return laid(sym, self.count, several=self.several)

    def function(self, function: Function) -> Function:
        """The function with arrays of tangents. Raises Rejected, Unfit."""
        body = function.body
        taken = frozenset(function.syms)
        self.pointers = frozenset(sym for sym in taken if isinstance(sym.type, Pointer))
        for sym in self.known:
            if sym.storage == "parameter" and sym not in taken:  # declared in the body
                self.known[sym] = self.laid(replace(sym, storage="local"))
        self._find(body)
        self._gather_fields()
        written = {sym for s in statements(body) for sym in self._sets(s)}
        params: list[Parameter] = []
        for param in function.params:
            layout = self.known.get(param.sym)
            if layout is None:
                params.append(param)
                continue
            copied = param.sym in written and isinstance(param.sym.type, Scalar)
            params.append(replace(param, sym=self._copied(param.sym, layout) if copied else layout.sym))
        self.uses = Bag(part.sym for part in all_parts(*body) if isinstance(part, Place))
        return replace(function, params=tuple(params), body=(*self._start, *self.body(body)))

    def _find(self, body: Body) -> None:
        """Find the tangents that aren't those of variables: they are made of others."""
        names = len({part.sym for part in all_parts(*body) if isinstance(part, Place)})
        names += sum(isinstance(stmt, Declare) for stmt in statements(body))
        for _ in rounds(names, "which variables are made of tangents"):  # each round finds some
            before = len(self.known)
            for stmt in statements(body):
                for sym in self._made_of_tangents(stmt):
                    if sym not in self.known:
                        self.known[sym] = self.laid(sym)
            if len(self.known) == before:
                return

    def _made_of_tangents(self, stmt: Stmt) -> Iterator[Sym]:
        """Yield the variables that a statement makes of tangents."""
        called = any(self._called(call) for call in calls(stmt))
        match stmt:
            case Declare(sym, init) if init is not None and not called and self._has_tangent(stmt):
                yield sym
            case Assign(target, value) if not called and self._moves(value):
                yield target.sym
            case _:
                pass
        for call in calls(stmt):
            for k in self._called(call):
                named = base(call.args[k]) if isinstance(call.args[k].type, Pointer) else None
                if named is not None:
                    yield named

    def _sets(self, stmt: Stmt) -> Iterator[Sym]:
        """Yield the variables that a statement sets, itself alone."""
        if isinstance(stmt, Assign):
            yield stmt.target.sym

    def _gather_fields(self) -> None:
        """Make the fields of one struct again fields of one struct."""
        wholes: dict[Sym, Sym] = {}
        for sym, layout in self.known.items():
            whole = sym.within
            if whole is not None:
                if whole not in wholes:
                    wholes[whole] = whole_of(whole, self.count)
                self.known[sym] = replace(layout, sym=replace(layout.sym, within=wholes[whole]))

    def _copied(self, sym: Sym, layout: Layout) -> Sym:
        """Copy tangents passed by value that the function changes; return the parameter."""
        if sym.within is not None:
            raise refused(sym, "a struct by value that the function changes", self.several)
        given = replace(layout, sym=replace(layout.sym, name=f"{sym.name}_given"))
        own = self.known[sym] = self.laid(replace(sym, storage="local"))
        d = Sym("d", INT)
        at, by = Place(sym, (), sym.type), Place(d, (), INT)
        copied = Assign(own.place(at, by), given.place(at, by))
        self._start += [Declare(own.sym), over(d, self.count, (copied,))]
        return given.sym

    # ---- bodies ----------------------------------------------------------------

    def body(self, body: Body) -> Body:
        out: list[Stmt] = []
        group = Group()

        def flush() -> None:
            nonlocal group
            out.extend(self._made(group, known))
            group = Group()

        known: dict[Expr, Sym] = {}  # values that the primal has by name
        for stmt in body:
            if self._is_tangent(stmt):
                group.stmts.append(stmt)
                group.reads |= self._values(stmt)
            elif self._has_calls(stmt):
                before, new = self._calling(stmt)
                group.stmts += before
                flush()
                known.clear()
                out += new
            elif self._passes(stmt, group):
                out.append(stmt)
                self._learn(stmt, known)
            else:
                flush()
                out.extend(self._other(stmt))
                self._learn(stmt, known)
        flush()
        return tuple(out)

    def _other(self, stmt: Stmt) -> Iterator[Stmt]:
        """Any other statement, with its bodies."""
        if isinstance(stmt, If):
            tests = Tests(self.known, self.count)
            cond = tests.of(stmt.cond)
            if cond is None:
                raise self._unsupported("a condition on tangents", stmt)
            yield from tests.before
            yield replace(stmt, cond=cond, then=self.body(stmt.then), other=self.body(stmt.other))
        elif self._has_tangent(stmt):
            raise self._unsupported("a condition on tangents", stmt)
        elif isinstance(stmt, For) and any(map(self._concerns, stmt.step)):
            if any_has(stmt.body, Continue):
                raise self._unsupported("a loop whose step has tangents, and a continue", stmt)
            yield replace(stmt, body=self.body((*stmt.body, *stmt.step)), step=())
        else:
            yield rebuilt(stmt, self.body)

    def _learn(self, stmt: Stmt, known: dict[Expr, Sym]) -> None:
        """Note a value that a statement names, and forget those of what it changes."""
        if not _is_simple(stmt):
            known.clear()
            return
        written = self._written(stmt)
        for expr in [e for e in known if not written.isdisjoint(map(self._memory, e.symbols))]:
            del known[expr]
        match stmt:
            case Declare(Sym(const=True) as sym, Call() | Binary() as value) if expensive(value):
                if all(part.rule is not None for part in _calls(value)):
                    known[value] = sym
            case _:
                pass

    def _written(self, stmt: Stmt) -> set[object]:
        """The memory that a simple statement may change."""
        written = {place.sym for expr in expressions(stmt) for place in expr.outputs}
        if isinstance(stmt, Declare | Assign):
            written.add(stmt.sym if isinstance(stmt, Declare) else stmt.target.sym)
        return set(map(self._memory, written))

    def _memory(self, sym: Sym) -> object:
        """What stands for all memory that may be the variable's: of a kernel, arrays don't overlap."""
        if sym.storage == "shared":
            return "shared"
        if sym in self.pointers and not self.is_kernel:
            return "pointers"
        return sym.within or sym

    def _made(self, group: Group, known: Mapping[Expr, Sym]) -> Iterator[Stmt]:
        """The loop of a group's statements, with what comes before it."""
        if group.stmts:
            loop = Loop(self.known, self.uses, self.count, group.stmts, known)
            yield from loop.preaccumulated(self._memory).made()

    # ---- calls of device functions ------------------------------------------------

    def _calling(self, stmt: Stmt) -> tuple[list[Stmt], list[Stmt]]:
        """The tangents that a statement with calls of functions that take tangents needs by name, and it."""
        before: list[Stmt] = []

        def change(expr: Expr) -> Expr | None:
            if not isinstance(expr, Call) or expr.callee not in self.passed:
                return None
            args = [
                self._argument(arg, expr, k, before) if k in self._called(expr) else arg
                for k, arg in enumerate(expr.args)
            ]
            return replace(expr, args=tuple(args), spelling=None, macro=None)

        return before, [mapped(stmt, change)]

    def _argument(self, arg: Expr, call: Call, position: int, before: list[Stmt]) -> Expr:
        assert call.callee is not None
        passed = self.passed[call.callee]
        if isinstance(arg.type, Pointer | Array):
            sym = base(arg)
            assert sym is not None
            found = self.known[sym].pointer(arg, passed.tangents[position])
            if found is None:
                raise Unfit(passed.key)
            return found
        if isinstance(arg, Place) and arg.sym in self.known and not self._changes(call, arg.sym):
            found = self.known[arg.sym].row(arg)
            if found is not None:
                return found
        sym = Sym(by_operation(arg, "") or "tan_arg", scalar_type(arg))
        self.known[sym] = self.laid(sym)
        self.uses[sym] = 1
        before.append(Declare(sym, arg))
        return Place(self.known[sym].sym, (), self.known[sym].sym.type)

    def _changes(self, call: Call, sym: Sym) -> bool:
        """Whether a call may change the tangents of a variable of which it takes the value."""
        pointers = [arg for arg in call.args if isinstance(arg.type, Pointer) and not arg.type.const]
        targets = {base(arg) for arg in pointers}
        if sym in self.pointers and not self.is_kernel:
            return not targets.isdisjoint(self.pointers)
        return sym in targets

    def _called(self, call: Call) -> Collection[int]:
        found = self.passed.get(call.callee or "")
        return found.tangents if found is not None else ()

    # ---- questions ---------------------------------------------------------------

    def _moves(self, expr: Expr) -> bool:
        return moves(expr, self.known)

    def _has_tangent(self, stmt: Stmt) -> bool:
        return any(map(self._moves, expressions(stmt)))

    def _has_calls(self, stmt: Stmt) -> bool:
        simple = isinstance(stmt, Declare | Assign | Evaluate) or not isinstance(stmt, For | If)
        return simple and any(self._called(call) for whole in expressions(stmt) for call in _calls(whole))

    def _concerns(self, stmt: Stmt) -> bool:
        return self._is_tangent(stmt) or self._has_calls(stmt)

    def _is_tangent(self, stmt: Stmt) -> bool:
        match stmt:
            case Declare(sym):
                return sym in self.known
            case Assign(target):
                return target.sym in self.known
            case Evaluate(call) if is_atomic(call):
                return base(call.args[0]) in self.known
            case _:
                return False

    def _values(self, stmt: Stmt) -> set[object]:
        return {self._memory(s) for expr in expressions(stmt) for s in expr.symbols if s not in self.known}

    def _passes(self, stmt: Stmt, group: Group) -> bool:
        """Whether a statement of the primal may come before the tangents that wait."""
        if not _is_simple(stmt) or collective(stmt) is not None:
            return False
        if any(call.rule is None or call.rule == "clock" for call in calls(stmt)):
            return False
        return self._written(stmt).isdisjoint(group.reads)

    def _unsupported(self, what: str, stmt: Stmt) -> Rejected:
        told = f"several {self.several.name} for {what}"
        span = getattr(stmt, "span", None)
        return Rejected(diagnose(Code.NOT_SUPPORTED, span, what=told, help=self.several.help))


def _is_simple(stmt: Stmt) -> bool:
    """Whether a statement does nothing but set what its text names."""
    if isinstance(stmt, Evaluate):
        return stmt.call.rule is not None and bool(stmt.call.outputs)
    return isinstance(stmt, Declare | Assign)


def _calls(expr: Expr) -> Iterator[Call]:
    return (part for part in walk(expr) if isinstance(part, Call))
