"""Device functions: what their results depend on, and their adjoints.

    float f(float a, float b)   ->   float f_adj(float a, float b, float adj_f)
                                     void f_adj(float a, float *adj_a, float b, float *adj_b, float adj_f)

There is one adjoint for each set of active arguments in use. The adjoint of a single active
argument is returned; several are accumulated through pointers.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace

from ..analysis import activity, ssa_construction
from ..analysis.activity import is_real
from ..diagnostics import Rejected
from ..ir import (
    FLOAT,
    INT,
    VOID,
    Accumulate,
    Assign,
    Body,
    Call,
    Const,
    Declare,
    Expr,
    Function,
    How,
    Initialiser,
    Parameter,
    Place,
    Pointer,
    Program,
    Return,
    Scalar,
    Stmt,
    Sym,
    calls,
    expressions,
    scalar_type,
    statements,
    walk,
    wide,
)
from ..options import Options
from ..passes import Runner
from ..rules import Table
from .build.builder import Builder
from .build.frames import AdjointFunction, Frame
from .common.adjoint_types import summed
from .common.algebra import Amount, real, rewrite
from .common.symbol_uses import symbols
from .normalise.tree_sums import Trees
from .pipelines import BUILD, OPTIMISE_FUNCTION
from .plan.expensive_results import with_expensive_results
from .plan.facts import Amend, Choices, Facts, examine
from .plan.forward_accumulation import with_tangents
from .plan.partials import Add, Context, contributions
from .plan.preaccumulation import long_calls, with_partials
from .plan.storage_layout import lay_out
from .primal_pipelines import NORMALISE_FUNCTION
from .states import Built, Primal


class Functions:
    """The device functions of a program, and their adjoints requested so far."""

    def __init__(
        self, program: Program, table: Table, choices: Choices, options: Options, runner: Runner
    ) -> None:
        self.program = program
        self.table = table
        self.choices = choices
        self.options = options
        self.runner = runner
        self._count = Bag(f.name for f in program.functions.values())
        self._smooth: dict[str, frozenset[int]] = {}
        self._by_result: dict[tuple[str, int], Callable[[Expr], Amount] | None] = {}
        self._results: dict[str, tuple[Function, Sym]] = {}
        self._adjoints: dict[tuple[str, tuple[int, ...]], Function] = {}
        self.seeded: dict[str, tuple[int, ...]] = {}
        """The parameters of the adjoints that hold adjoints, by their positions."""

    def smooth(self, call: Call) -> frozenset[int]:
        """The arguments that the call's results depend on differentiably."""
        rule = self.table.of(call)
        if rule is not None:
            return rule.smooth
        assert call.callee is not None
        if call.callee not in self._smooth:
            self._smooth[call.callee] = self._dependence(call.callee)
        return self._smooth[call.callee]

    def parameter(self, call: Call, position: int) -> str:
        """The name of a device function's parameter."""
        assert call.callee is not None
        return self.program.functions[call.callee].syms[position].name

    def expensive(self, call: Call) -> bool:
        """Whether a call costs many times as much as a load."""
        if call.callee is None:
            return bool(long_calls(call))
        return any(
            self.expensive(e)
            for stmt in statements(self.program.functions[call.callee].body)
            for expr in expressions(stmt)
            for e in walk(expr)
            if isinstance(e, Call)
        )

    def by_result(self, call: Call, position: int) -> Callable[[Expr], Amount] | None:
        """The partial with respect to an argument as a function of the result, if it reads nothing else.

        Such a function (`1 / (1 + exp(-x))`) is differentiated where it is called, like `exp` and `tanh`.
        """
        assert call.callee is not None
        key = (call.callee, position)
        if key not in self._by_result:
            self._by_result[key] = self._partial(*key)
        return self._by_result[key]

    def _partial(self, callee: str, position: int) -> Callable[[Expr], Amount] | None:
        function, result = self._structured(callee)
        type_, argument, value = result.type, function.syms[position], _returned(function.body, result)
        if value is None or not isinstance(type_, Scalar) or wide(type_) != type_ or value.type != type_:
            return None
        kinks: list[str] = []
        seed, after = Place(Sym("seed", type_), (), type_), Sym(result.name, type_)
        context = Context(
            self.table, lambda place: place.sym is argument, self.smooth, after, value, kinks, self.parameter
        )
        match contributions(value, seed, context):
            case [Add(Place(sym, ()), amount, ())] if sym is argument and not kinks and amount.seed is seed:
                read = {s for e in (*amount.factors, *amount.divisors) for s in e.symbols}
                return (lambda at: _at(amount, after, at)) if read <= {after} else None
            case _:
                return None

    def _structured(self, callee: str) -> tuple[Function, Sym]:
        if callee not in self._results:
            function = self.program.functions[callee]
            result = Sym("result", function.result)
            state = Primal(self.program, Trees(function), self.options, result=result)
            self._results[callee] = self.runner.run(NORMALISE_FUNCTION, state).function, result
        return self._results[callee]

    def _dependence(self, callee: str) -> frozenset[int]:
        function, result = self._structured(callee)
        if not is_real(result.type):
            return frozenset()
        table = ssa_construction.survey(function)
        real_params = tuple(s for s in function.syms if is_real(s.type))
        found = activity.survey(table, real_params, (result,), self.smooth)
        return frozenset(
            k
            for k, sym in enumerate(function.syms)
            if sym in table.entries and table.entries[sym] in found.useful and is_real(sym.type)
        )

    def adjoint_of(self, call: Call, active: tuple[int, ...]) -> AdjointFunction:
        """The adjoint that this call needs, built on first use."""
        assert call.callee is not None
        key = (call.callee, active)
        if key not in self._adjoints:
            self._adjoints[key] = self._build(call.callee, active)
        return AdjointFunction(self._adjoints[key].name, active)

    def _build(self, callee: str, active: tuple[int, ...]) -> Function:
        function, result = self._structured(callee)
        prefix = self.choices.prefix
        wrt = tuple(function.syms[k] for k in active)

        def examined(body: Function, amend: Amend | None) -> Facts:
            return examine(
                body,
                wrt,
                (result,),
                self.smooth,
                self.table,
                replace(self.choices, split=False),
                frozenset(),
                tape=False,
                parameter=self.parameter,
                by_result=self.by_result,
                amend=amend,
            )

        asked = (*self.choices.store, *self.choices.recompute)
        facts = with_partials(with_tangents(function, examined, asked, *self.choices.ways), examined, asked)
        facts = with_expensive_results(facts, examined, asked, self.expensive)
        seed = Sym(f"{prefix}{function.name}", wide(scalar_type(result)), "parameter")
        adjoints: dict[Sym, Sym] = {result: seed}
        outs: dict[Sym, Sym] = {}
        written = {t for s in facts.versions.order for t in facts.versions.writes[s]}
        single = len(active) == 1
        for sym in wrt:
            if single or sym in written:
                adjoints[sym] = Sym(prefix + sym.name, summed(sym.type), of=sym)
            if not single:
                outs[sym] = Sym(prefix + sym.name, Pointer(summed(sym.type)), "parameter", of=sym)
                if sym not in written:
                    adjoints[sym] = outs[sym]
                else:
                    adjoints[sym] = Sym(f"{prefix}{sym.plain}_sum", summed(sym.type), of=sym)
        for sym in facts.activity.ever:
            if sym not in adjoints:
                adjoints[sym] = Sym(prefix + sym.name, summed(sym.type), of=sym)

        def local(stmt: Stmt, place: Place) -> tuple[How, str]:
            return "local", ""

        storage = lay_out(facts)
        if storage.refused:
            raise Rejected(*storage.problems())
        builder = Builder.of(facts, storage, adjoints, local, self.adjoint_of, early=not single)
        forward, reverse = builder.reverse(Frame(facts.versions.root, None))
        body = [*forward, *reverse]
        params: list[Parameter] = []
        for k, sym in enumerate(function.syms):
            params.append(Parameter(sym))
            if k in active and not single:
                params.append(Parameter(outs[sym]))
        params.append(Parameter(seed))
        type_: Scalar = VOID
        if single:
            mine = adjoints[wrt[0]]
            type_ = mine.type if isinstance(mine.type, Scalar) else FLOAT
            value = Place(mine, (), type_) if mine in symbols(body) else real(0.0, type_)
            body.append(Return(value))
        else:
            for sym in wrt:
                mine = adjoints[sym]
                if sym in written and mine in symbols(body):
                    target = Place(outs[sym], (Const(0, INT),), mine.type)
                    body.append(Accumulate(target, Place(mine, (), mine.type), "local"))
        possible = tuple(sorted(self.smooth(Call(function.name, (), scalar_type(result), callee=callee))))
        name = self._name(function, callee, () if active == possible else wrt)
        made = Function(
            name, tuple(params), type_, tuple(body), False, ("static", "__device__"), function.span
        )
        self.seeded[made.name] = _positions(params, (seed, *outs.values()))
        self.runner.show(BUILD, Built(made))
        return self.runner.run(OPTIMISE_FUNCTION, Built(made)).function

    def _name(self, function: Function, callee: str, some: Sequence[Sym]) -> str:
        """The name of an adjoint, of `some` of the parameters alone; the author may have one of this name."""
        name = "_".join((f"{function.name}_adj", *(sym.name for sym in some)))
        if self._count[function.name] > 1:
            name += f"_{list(self.program.functions).index(callee) + 1}"
        taken = {f.name for f in (self.program.kernel, *self.program.functions.values())}
        return name.replace("_adj", "_adjoint", 1) if name in taken else name

    def emitted(self, bodies: Iterable[Iterable[Stmt]]) -> tuple[Function, ...]:
        """The functions that statements call, callees first, primal ones before their adjoints."""
        every = {**self.program.functions, **{f.name: f for f in self._adjoints.values()}}
        return reached(every, bodies)


def _positions(params: Sequence[Parameter], syms: Container[Sym]) -> tuple[int, ...]:
    return tuple(k for k, param in enumerate(params) if param.sym in syms)


def _returned(body: Body, result: Sym) -> Expr | None:
    """The expression that a function returns, if it is only that and named parts of it."""
    named: dict[Sym, Expr] = {}

    def whole(expr: Expr) -> Expr:
        return rewrite(expr, lambda e: named.get(e.sym) if isinstance(e, Place) else None)

    for stmt in body:
        match stmt:
            case Declare(sym, None) if sym is result:
                pass
            case Declare(sym, init) if init is not None and not isinstance(init, Initialiser):
                if init.type != sym.type:
                    return None
                named[sym] = whole(init)
            case Assign(Place(sym, ()), value, None) if sym is result and stmt is body[-2]:
                return whole(value)
            case _:
                return None
    return None


def _at(partial: Amount, sym: Sym, value: Expr) -> Amount:
    """A partial with an expression in place of a variable."""

    def put(expr: Expr) -> Expr:
        return rewrite(expr, lambda e: value if isinstance(e, Place) and e.sym is sym else None)

    return replace(
        partial, factors=tuple(map(put, partial.factors)), divisors=tuple(map(put, partial.divisors))
    )


def reached(every: Mapping[str, Function], bodies: Iterable[Iterable[Stmt]]) -> tuple[Function, ...]:
    """The functions that statements call, callees first; in the order of the calls."""
    out: dict[str, Function] = {}

    def visit(name: str) -> None:
        if name in out or name not in every:
            return
        function = every[name]
        for callee in called(function.body):
            visit(callee)
        out[name] = function

    for body in bodies:
        for callee in called(tuple(body)):
            visit(callee)
    return tuple(out.values())


def called(body: tuple[Stmt, ...]) -> list[str]:
    """The device functions that statements call, in order of appearance."""
    found: dict[str, None] = {}
    for stmt in statements(body):
        found.update((call.callee, None) for call in calls(stmt) if call.callee is not None)
    return list(found)
