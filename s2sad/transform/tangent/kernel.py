"""A complete tangent kernel: the primal with the tangents of its statements, its parameters and contract.

K(x, y, n)   ->   K_tan(x, tan_x, y, tan_y, n)
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.activity import is_real
from ...analysis.plan import Plan
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...fields import is_float, variables
from ...ir import Declare, Function, Parameter, Pointer, Program, Sym, statements
from ...options import Options
from ...passes import PLAIN, Runner
from ...rules import Table
from ...signature import Argument, Signature
from ..plan.accumulation_policy import touched
from ..plan.adjoint_signature import argument_of, fields_of
from ..plan.shared_layout import is_launched
from ..states import Built
from ..unit import Adjoint, Contract
from .dependence import Edges
from .functions import PREFIX, Functions, tangents_of
from .statements import Statements

BUILD = "tangent"
"""The step that adds the tangents, as it is dumped."""


def build(
    program: Program, options: Options, table: Table, runner: Runner = PLAIN
) -> tuple[Adjoint, tuple[Diagnostic, ...]]:
    """The tangent of a program's kernel, and warnings about it. Raises Rejected."""
    kernel = program.kernel
    names = {whole.name: parts for whole, parts in variables(kernel.syms).items()}
    wrt = [sym for name in options.wrt for sym in names[name] if is_float(sym)]
    of = [sym for name in options.of for sym in names[name] if is_float(sym)]
    kinks: list[str] = []
    functions = Functions(program, table, kinks)
    edges = Edges.of(kernel.body, functions.dependence)
    arrays = [sym for sym in of if isinstance(sym.type, Pointer)]  # they bring tangents as well
    varied, useful = edges.after((*wrt, *arrays)), edges.before(of)
    active = (varied & useful) | {*wrt, *arrays}
    order = dict.fromkeys((*kernel.syms, *(s.sym for s in statements(kernel.body) if isinstance(s, Declare))))
    tangents = tangents_of(sym for sym in order if sym in active and is_real(sym.type))
    _refuse(kernel, tangents)
    params, arguments = _parameters(program, tangents)
    body = Statements(functions.context(tangents), functions, tangents).body(kernel.body)
    made = Function(f"{kernel.name}_tan", params, kernel.result, body, True, _linkage(program), kernel.span)
    runner.show(BUILD, Built(made))
    warnings = [
        diagnose(Code.NO_DEPENDENCE, kernel.span, dependent=name)
        for name in options.of
        if edges.after(wrt).isdisjoint(names[name])
    ]
    signature = Signature(made.name, arguments, options.of, options.wrt)
    plan = Plan((), (), (), tuple(kinks))
    unit = Adjoint(
        program,
        made,
        signature,
        plan,
        _contract(signature, kernel.name),
        command="",
        functions=functions.emitted([body]),
        prefix=PREFIX,
        derivative="tangent",
    )
    return unit, tuple(warnings)


def _refuse(kernel: Function, tangents: dict[Sym, Sym]) -> None:
    """Refuse dynamic shared memory with tangents, whose size the launch sets."""
    for stmt in statements(kernel.body):
        if isinstance(stmt, Declare) and is_launched(stmt.sym) and stmt.sym in tangents:
            what = f"a tangent of {stmt.sym.name} in dynamic shared memory"
            help = "give the array a constant extent"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, stmt.span, what=what, help=help))


def _parameters(
    program: Program, tangents: dict[Sym, Sym]
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
        arguments.append(replace(own, name=PREFIX + whole.name, role="tangent", use="tangent", of=whole.name))
    return tuple(params), tuple(arguments)


def _linkage(program: Program) -> tuple[str, ...]:
    words = program.kernel.attributes
    named = any(w.replace(" ", "") in ('extern"C"', "static") for w in words)
    return words if named or not program.template else ('extern "C"', *words)


def _contract(signature: Signature, primal: str) -> Contract:
    """What each tangent must hold on entry, and what it holds on exit."""
    rows: list[tuple[str, str, str]] = []
    for argument in signature.arguments:
        if argument.role != "tangent":
            continue
        name = argument.of
        if argument.written:
            text = f"tangent of {name} before {primal} -> tangent of {name} after {primal}"
            rows.append((argument.name, "in/out", text))
        else:
            rows.append((argument.name, "in", f"tangent of {name}"))
    return Contract(tuple(rows))
