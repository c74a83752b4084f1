"""The tangents of device functions: the function itself, with tangents beside its values.

    float f(float a, float *b, int n)  ->  float f_tan(float a, float tan_a, float *b, float *tan_b, int n,
                                                       float *tan_f)

It returns what the function returns, and sets what it points to; the tangent of the returned value is
stored through the last parameter. There is one for each set of parameters that have tangents.
"""

from __future__ import annotations

import itertools
from collections import Counter as Bag
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ...analysis.activity import is_real
from ...ir import (
    INT,
    VOID,
    AddressOf,
    Array,
    Body,
    Call,
    Const,
    Declare,
    Expr,
    Function,
    Initialiser,
    Parameter,
    Place,
    Pointer,
    Program,
    Scalar,
    Stmt,
    Sym,
)
from ...passes import Runner
from ...rules import Table
from ..common.algebra import real, rewrite
from ..common.symbol_uses import mapped
from ..device_functions import reached
from ..pipelines import OPTIMISE_TANGENT
from ..plan.shared_layout import is_launched
from ..states import Built
from .copies import without_copies
from .dependence import Dependence, Edges, base, moved
from .directions import Directions, Passed
from .expressions import Context, Dual
from .statements import Statements


def prefix_of(program: Program) -> str:
    """The prefix of tangents: `tan_`; in the tangent of a tangent `tan2_`, and so on."""
    names = {sym.name for f in (program.kernel, *program.functions.values()) for sym in f.syms}
    prefixes = ("tan_", *(f"tan{k}_" for k in range(2, len(names) + 3)))
    return next(p for p in prefixes if not any(name.startswith(p) for name in names))


class Functions:
    """The tangents of a program's device functions that have been asked for."""

    def __init__(
        self, program: Program, table: Table, kinks: list[str], runner: Runner, directions: int = 1
    ) -> None:
        self.program, self.table, self.kinks, self.runner = program, table, kinks, runner
        self.dependence, self.prefix = Dependence(program, table), prefix_of(program)
        self.directions, self.passed = directions, dict[str, Passed]()
        self._taken = {*program.functions, *(f.name for f in program.functions.values())}
        self._taken.add(f"{program.kernel.name}_tan")
        self._count = Bag(f.name for f in program.functions.values())
        self._made: dict[tuple[str, tuple[int, ...], tuple[int, ...], bool], Function] = {}

    def context(self, tangents: Mapping[Sym, Sym], linear: Container[Sym] = frozenset()) -> Context:
        """The context of the statements of a function whose variables have these tangents."""

        def active(expr: Expr) -> bool:
            return any(sym in tangents for sym in self.dependence.carriers(expr))

        def call(made: Call, args: Sequence[Dual], result: Place | None) -> Call:
            return self.call(made, args, result, tangents, linear)

        writes = partial(self.writes, tangents=tangents)
        return Context(self.table, tangents, active, call, writes, self.kinks, linear)

    def call(
        self,
        call: Call,
        args: Sequence[Dual],
        result: Place | None,
        tangents: Mapping[Sym, Sym],
        linear: Container[Sym],
    ) -> Call:
        """The call of a function's tangent; `result` gets the tangent of its value."""
        assert call.callee is not None
        function = self.program.functions[call.callee]
        positions: list[int] = []
        passed: list[Expr] = []
        for k, (dual, sym) in enumerate(zip(args, function.syms, strict=True)):
            passed.append(dual.value)
            tangent = dual.signed
            if isinstance(sym.type, Pointer) and is_real(sym.type) and base(dual.value) in tangents:
                tangent = moved(dual.value, tangents)
            if tangent is not None:
                positions.append(k)
                passed.append(tangent)
        seeded = tuple(k for k in positions if self._is_linear(call.args[k], linear))
        made = self.of(call.callee, tuple(positions), seeded, result is not None)
        if result is not None:
            passed.append(AddressOf(result, Pointer(result.type)))
        return replace(call, name=made.name, callee=made.name, args=tuple(passed), spelling=None, macro=None)

    def _is_linear(self, arg: Expr, linear: Container[Sym]) -> bool:
        return any(sym in linear for sym in (base(arg), *self.dependence.carriers(arg)) if sym is not None)

    def writes(self, call: Call, tangents: Mapping[Sym, Sym]) -> bool:
        """Whether a call may change something that has a tangent."""
        if call.callee not in self.program.functions:
            return False
        function = self.program.functions[call.callee]
        pointers = {k for k, sym in enumerate(function.syms) if isinstance(sym.type, Pointer)}
        return any(base(call.args[k]) in tangents and not _still(function.syms[k]) for k in pointers)

    def of(self, callee: str, active: tuple[int, ...], seeded: tuple[int, ...], result: bool) -> Function:
        """The tangent of a function for the parameters that have one; `seeded` are those of an adjoint."""
        key = (callee, active, seeded, result)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(
        self, callee: str, positions: tuple[int, ...], seeded: tuple[int, ...], result: bool
    ) -> Function:
        function = self.program.functions[callee]
        edges = Edges.of(function.body, self.dependence)
        asked = [function.syms[k] for k in positions]
        varied = edges.after(asked)
        useful = edges.before([*asked, *([edges.result] if result else [])])
        active = (varied & useful) - {edges.result}
        tangents = tangents_of(
            [*asked, *(sym for sym in edges.order if sym in active and sym not in asked)], self.prefix
        )
        params: list[Parameter] = []
        for k, sym in enumerate(function.syms):
            params.append(Parameter(sym))
            if k in positions:
                params.append(Parameter(tangents[sym]))
        out: Place | None = None
        if result:
            pointer = Sym(f"{self.prefix}{function.name}", Pointer(function.result), "parameter")
            params.append(Parameter(pointer))
            out = Place(pointer, (Const(0, INT),), function.result)
        linear = edges.after(function.syms[k] for k in seeded) if seeded else frozenset()
        body = Statements(self.context(tangents, linear), out).body(function.body)
        body = (*unset(function.syms, tangents, asked), *body)
        used = {*self._taken, *(f.name for f in self._made.values())}
        name = next(name for name in self._names(callee, positions, seeded, result) if name not in used)
        attributes = ("static", "__device__")
        made = Function(name, tuple(params), function.result, body, False, attributes, function.span)
        made = optimised(made, self.runner)
        if self.directions == 1:
            return made
        single = None if out is None else out.sym
        taken = {single, *(tangents[sym] for sym in asked)}
        several = Directions(self.directions, tangents.values(), self.passed, single)
        passed = {k: several.known[sym] for k, sym in enumerate(made.syms) if sym in taken}
        self.passed[name] = Passed(callee, passed)
        return several.function(made)

    def _names(
        self, callee: str, active: tuple[int, ...], seeded: tuple[int, ...], result: bool
    ) -> Iterator[str]:
        """Yield names for a tangent, each longer than the one before."""
        function = self.program.functions[callee]
        stem = f"{function.name}_tan"
        possible = tuple(k for k, sym in enumerate(function.syms) if is_real(sym.type))
        if active != possible:
            stem += "".join(f"_{function.syms[k].name}" for k in active)
        if not result and function.result != VOID and is_real(function.result):
            stem += "_only"
        stem += self._number(callee)
        yield stem
        if seeded:
            yield f"{stem}_seeded"
        yield from (f"{stem}_{k}" for k in itertools.count(2))

    def _number(self, callee: str) -> str:
        """What distinguishes a function from others of its name."""
        if self._count[self.program.functions[callee].name] == 1:
            return ""
        return f"_{list(self.program.functions).index(callee) + 1}"

    def emitted(self, body: Body) -> tuple[Body, tuple[Function, ...]]:
        """A body and the functions that it calls, callees first; the only tangent of a function is `f_tan`.

        float rate_of_tan_v(float v, float tan_v, …)     ->     float rate_of_tan(float v, float tan_v, …)
        """
        made = {f.name: f for f in self._made.values()}
        functions = reached({**self.program.functions, **made}, [body])
        origin = {f.name: callee for (callee, *_), f in self._made.items()}
        variants = Bag(origin[f.name] for f in functions if f.name in origin)
        names = {
            f.name: f"{self.program.functions[callee].name}_tan{self._number(callee)}"
            for f in functions
            if (callee := origin.get(f.name)) is not None and variants[callee] == 1
        }
        names = {old: new for old, new in names.items() if new not in {*self._taken, *made} - {old}}

        def change(expr: Expr) -> Expr | None:
            if not isinstance(expr, Call) or expr.callee not in names:
                return None
            args = tuple(rewrite(arg, change) for arg in expr.args)
            return replace(expr, name=names[expr.callee], callee=names[expr.callee], args=args)

        def renamed(function: Function) -> Function:
            inner = tuple(mapped(stmt, change) for stmt in function.body)
            return replace(function, name=names.get(function.name, function.name), body=inner)

        return tuple(mapped(stmt, change) for stmt in body), tuple(map(renamed, functions))


def _still(sym: Sym) -> bool:
    return isinstance(sym.type, Pointer) and sym.type.const


def tangents_of(syms: Iterable[Sym], prefix: str) -> dict[Sym, Sym]:
    """The variables for the tangents of variables, each of the same type and in the same memory.

    The tangents of a struct's fields are the fields of one more struct.
    """
    wholes: dict[Sym, Sym] = {}
    found: dict[Sym, Sym] = {}
    for sym in syms:
        whole = sym.within
        if whole is not None and whole not in wholes:
            wholes[whole] = _named(whole, prefix)
        made = replace(_named(sym, prefix), within=None if whole is None else wholes[whole])
        if is_launched(sym):  # it follows the array itself
            assert isinstance(sym.type, Array)
            made = replace(made, type=Pointer(sym.type.element), within=None, path=())
        found[sym] = made
    return found


def optimised(function: Function, runner: Runner) -> Function:
    """The function with shared values, and without copies of them."""
    made = runner.run(OPTIMISE_TANGENT, Built(function)).function
    return replace(made, body=without_copies(made.body))


def unset(syms: Iterable[Sym], tangents: Mapping[Sym, Sym], passed: Container[Sym]) -> Iterator[Stmt]:
    """Declare the tangents of parameters by value that get one only where the function changes them."""
    for sym in syms:
        if sym in tangents and sym not in passed:
            kind = tangents[sym].type
            yield Declare(tangents[sym], real(0.0, kind) if isinstance(kind, Scalar) else Initialiser(()))


def _named(sym: Sym, prefix: str) -> Sym:
    other = tuple(prefix + name for name in sym.otherwise)
    return replace(sym, name=prefix + sym.name, of=sym, origin="tool", const=False, otherwise=other)
