"""A complete tangent kernel: the primal with the tangents of its statements, its parameters and contract.

K(x, y, n)   ->   K_tan(x, tan_x, y, tan_y, n)
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from ...analysis.activity import is_real
from ...analysis.plan import Plan
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...fields import by_value, is_float, is_nowhere, variables
from ...fixpoint import rounds
from ...ir import (
    AddressOf,
    Array,
    Body,
    Call,
    Declare,
    Expr,
    Function,
    Parameter,
    Place,
    Pointer,
    Program,
    Stmt,
    Sym,
    all_parts,
    statements,
    without,
)
from ...options import NAMES, Options
from ...passes import PLAIN, Runner
from ...rules import Table
from ...signature import Argument, Signature
from ..build.declare_shared_adjoints import LAUNCHED, with_shared
from ..common.symbol_uses import symbols
from ..device_functions import called
from ..kernel import linkage, on_host
from ..normalise.inline_collectives import with_inlined
from ..normalise.tree_sums import Trees
from ..plan.accumulation_policy import Ownership, touched
from ..plan.adjoint_signature import argument_of, fields_of
from ..plan.shared_layout import Stretch, is_launched
from ..plan.shared_layout import element as element_of
from ..planned import unlike
from ..primal_pipelines import NORMALISE
from ..states import Built, Primal
from ..unit import Adjoint, Contract, SharedRegion
from . import diagonal
from .dependence import Edges, base
from .directions import Directions, Unfit
from .functions import Functions, optimised, tangents_of, unset
from .statements import Statements

BUILD = "tangent"
"""The step that adds the tangents, as it is dumped."""


def build(
    program: Program, options: Options, table: Table, runner: Runner = PLAIN
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The tangent of a program's kernel, and warnings about it. Raises Rejected."""
    inlined: set[str] = set()
    for _ in rounds(len(program.functions), "which functions are inlined", program.kernel.span):
        try:
            return _built(_inlined(program, options.directions or 1, inlined), options, table, runner)
        except Unfit as unfit:
            inlined.add(unfit.key)
    raise AssertionError(inlined)


def _built(
    program: Program, options: Options, table: Table, runner: Runner
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    kernel = program.kernel
    names = {whole.name: parts for whole, parts in variables(kernel.syms).items()}
    wrt = [sym for name in options.wrt for sym in names[name] if is_float(sym)]
    of = [sym for name in options.of for sym in names[name] if is_float(sym)]
    kinks: list[str] = []
    count = options.directions or 1
    functions = Functions(program, table, kinks, runner, count)
    edges = Edges.of(kernel.body, functions.dependence)
    arrays = [sym for sym in of if isinstance(sym.type, Pointer)]  # they bring tangents as well
    varied, useful = edges.after((*wrt, *arrays)), edges.before((*of, *wrt))
    active = (varied & useful) | {*wrt, *arrays}
    if options.hessian == "diag":
        pairs = dict(diagonal.gradients(names, options.of, options.wrt))
        wrong = diagonal.Diagonal(kernel, pairs, varied).problems(sym for sym in of if sym not in pairs)
        if wrong:
            raise Rejected(*wrong)
    order = dict.fromkeys((*kernel.syms, *(s.sym for s in statements(kernel.body) if isinstance(s, Declare))))
    tangents = tangents_of((s for s in order if s in active and is_real(s.type)), functions.prefix)
    tangents |= tangents_of(_tapes(kernel, tangents), functions.prefix)
    passed = frozenset(sym for sym in tangents if isinstance(sym.type, Pointer) or sym in wrt)
    given = {sym: tangents[sym] for sym in tangents if sym in passed}
    params, arguments = _parameters(program, given, functions.prefix, count)
    linear = edges.after(_seeds(names)) if program.adjoint else frozenset()
    body = Statements(functions.context(tangents, linear)).body(kernel.body)
    body = (*unset(kernel.syms, tangents, passed), *body)
    body, dynamic = _shared(program, options, table, body, tangents)
    made = Function(f"{kernel.name}_tan", params, kernel.result, body, True, linkage(program), kernel.span)
    runner.show(BUILD, Built(made))
    made = optimised(made, runner)
    if count > 1:
        made = Directions(count, tangents.values(), functions.passed, is_kernel=True).function(made)
    body, emitted = functions.emitted(made.body)
    made = replace(made, body=body)
    warnings = [
        diagnose(Code.NO_DEPENDENCE, kernel.span, dependent=name)
        for name in options.of
        if edges.after(wrt).isdisjoint(names[name])
    ]
    signature = Signature(
        made.name, arguments, options.of, options.wrt, shared=bool(dynamic), directions=count
    )
    plan = Plan((), (), (), tuple(kinks))
    unit = Adjoint(
        program,
        made,
        signature,
        plan,
        _contract(signature, kernel.name, options.hessian),
        command="",
        functions=emitted,
        shared=tuple(
            SharedRegion(tuple(s.name for s in d.arrays), d.element.name, on_host(d.extent)) for d in dynamic
        ),
        prefix=functions.prefix,
        derivative="tangent",
    )
    return unit, tuple(warnings)


def _seeds(names: Mapping[str, list[Sym]]) -> Iterator[Sym]:
    """The adjoint arrays of an adjoint kernel: each follows what it is the adjoint of."""
    order = list(names)
    for before, name in itertools.pairwise(order):
        if name in (f"{NAMES['adj']}_{before}", f"{NAMES['grad']}_{before}"):
            yield from names[name]


def _tapes(kernel: Function, tangents: Container[Sym]) -> set[Sym]:
    """The tape, if a region of it has a tangent: these have a tape of the same layout."""
    regions = (s for s in statements(kernel.body) if isinstance(s, Declare) and s.sym.storage == "tape")
    bases = {base(s.init) for s in regions if s.sym in tangents and isinstance(s.init, Expr)}
    return {sym for sym in bases if sym is not None}


def _inlined(program: Program, directions: int, more: Container[str]) -> Program:
    """The program with some device functions inlined.

    Those that read the file's variables, which are parameters of the kernel alone, and those that get a row
    of an array or a null pointer, which the call's text alone doesn't say. For several directions also those
    that get a struct by value, and `more`.
    """
    chosen: set[str] = set()
    bodies = [f.body for f in (program.kernel, *program.functions.values())]
    rows = {call.callee for body in bodies for call in _unclear(body)}
    for key, function in program.functions.items():  # callees first
        reads = any(sym in program.variables for sym in symbols(statements(function.body)))
        structs = directions > 1 and any(by_value(sym) and is_real(sym.type) for sym in function.syms)
        if reads or structs or key in more or key in rows or not chosen.isdisjoint(called(function.body)):
            chosen.add(key)
    return with_inlined(program, chosen) if chosen else program


def _unclear(body: Body) -> Iterator[Call]:
    """Yield the calls that pass a row of an array of several dimensions, or a null pointer."""
    for part in all_parts(*body):
        if isinstance(part, Call) and part.callee is not None:
            places = [arg.place for arg in part.args if isinstance(arg, AddressOf)]
            bases = [base(arg) for arg in part.args if isinstance(arg.type, Pointer)]
            if any(map(_is_row, places)) or any(sym is None or is_nowhere(sym) for sym in bases):
                yield part


def _is_row(place: Place) -> bool:
    kind = place.sym.type
    return isinstance(kind, Array) and len(place.index) < len(kind.extents)


def _shared(
    program: Program, options: Options, table: Table, body: Body, tangents: Mapping[Sym, Sym]
) -> tuple[Body, tuple[Stretch, ...]]:
    """The body with the launch's shared memory laid out for its arrays, each followed by its tangent."""
    order = [s for s in statements(program.kernel.body) if isinstance(s, Declare) and is_launched(s.sym)]
    if not any(stmt.sym in tangents for stmt in order):
        return body, ()
    for stmt in order:
        if element_of(stmt.sym).is_half:
            what = f"a tangent of {stmt.sym.name} in dynamic shared memory of half precision"
            help = "give the array a constant extent"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, stmt.span, what=what, help=help))
    normalised = PLAIN.run(NORMALISE, Primal(program, Trees(program.kernel), options, table)).function
    extent = Ownership(program, normalised, options.assume).extent
    body = without(body, set(order) | {s for s in statements(body) if _is_launched(s)})
    made, dynamic = with_shared(body, order, tangents, 3, extent, unlike(LAUNCHED, program), zero=False)
    return tuple(made), tuple(dynamic)


def _is_launched(stmt: Stmt) -> bool:
    return isinstance(stmt, Declare) and (
        is_launched(stmt.sym) or (stmt.sym.of is not None and is_launched(stmt.sym.of))
    )


def _parameters(
    program: Program, tangents: Mapping[Sym, Sym], prefix: str, count: int
) -> tuple[tuple[Parameter, ...], tuple[Argument, ...]]:
    """The primal's parameters, each followed by its tangent if it has one, for the text and for a launch."""
    kernel = program.kernel
    read, written = touched(kernel, program.functions)
    params: list[Parameter] = []
    arguments: list[Argument] = []
    for whole, parts in variables(kernel.syms).items():
        params += [Parameter(sym) for sym in parts]
        own = argument_of(
            whole, any(p in written for p in parts), whole.name, fields_of(parts, read, written)
        )
        arguments.append(own)
        moved = [sym for sym in parts if sym in tangents]
        if not moved:
            continue
        params += [Parameter(tangents[sym]) for sym in moved]
        paths = {sym.path for sym in moved}
        made = replace(own, name=prefix + whole.name, role="tangent", use="tangent", of=whole.name)
        made = replace(made, parts=tuple(part for part in own.parts if part.path in paths))
        if count > 1 and not (own.pointer or own.parts):
            made = replace(made, pointer=True, const=True)  # the numbers along each direction
        elif count > 1 and own.layout is None:
            made = replace(made, rows=(*own.rows, count))
        arguments.append(made)
    return tuple(params), tuple(arguments)


_HESSIANS: Mapping[str, tuple[str, str]] = {
    "diag": (
        "The Hessian is diagonal: with ones for {wrt},",
        "the diagonal is added to {of}.",
    ),
    "dense": (
        "Columns of the Hessian: with 1 at element j of {wrt}, 0 elsewhere, as tangent d,",
        "column j is added to tangent d of {of}.",
    ),
}


def _contract(signature: Signature, primal: str, hessian: str | None = None) -> Contract:
    """What each tangent must hold on entry, and what it holds on exit."""
    rows: list[tuple[str, str, str]] = []
    many = signature.directions
    what = "tangent" if many == 1 else f"{many} tangents"
    for argument in signature.arguments:
        if argument.role != "tangent":
            continue
        name = argument.of
        if argument.written:
            text = f"{what} of {name} before {primal} -> {what} of {name} after {primal}"
            rows.append((argument.name, "in/out", text))
        else:
            rows.append((argument.name, "in", f"{what} of {name}"))
    notes = []
    if any(a.role == "tangent" and a.layout is not None and a.layout.rank for a in signature.arguments):
        notes.append("The tangent of a tensor has its strides.")
    if many > 1:
        notes.append(f"The {what} of a number, or of a struct, are adjacent, one for each direction.")
    if hessian is not None:
        tangents = {a.of: a.name for a in signature.arguments if a.role == "tangent"}
        of, wrt = (
            ", ".join(tangents.get(name, name) for name in every)
            for every in (signature.dependents, signature.independents)
        )
        notes += [line.format(of=of, wrt=wrt) for line in _HESSIANS[hessian]]
    return Contract(tuple(rows), notes=tuple(notes))
