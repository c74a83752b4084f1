"""The emitted file as records: header, preamble, functions, kernels.

The preamble (macros, types, constants) is found by name: the records give the
names that the file uses, and the definition of each is emitted, with the
definitions it needs in turn. So nothing is emitted that isn't used.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..analysis.plan import Accumulation, Decision, Plan, Recovery
from ..ir import BFLOAT16, HALF, Array, Declare, Function, How, Program, Sym, statements
from ..parse.source.companion_scope import Behind
from ..passes import PLAIN, Runner
from ..transform.common.symbol_uses import symbols
from ..transform.common.wording import in_rows
from ..transform.unit import Adjoint
from ..version import VERSION
from .batch_block_adds import BlockAdd, unsure
from .c_printer import CONVERSIONS, Printer
from .formulas import Formulas
from .helpers import called_once, helpers, reduced_alone, sum_names, total_names
from .lessons import Lessons
from .names import assigned
from .pipelines import AS_WRITTEN, Emitted
from .preamble import preamble, undone
from .records import View, Viewer
from .reserved_names import reserved
from .tape import host_view, memory, shared_view
from .vectors.vector_helpers import vector_helpers
from .words import identifiers
from .wrap import CODE_WIDTH, PROSE_WIDTH, table

_WHERE = {
    Recovery.RELOAD: "reloaded",
    Recovery.RECOMPUTE: "recomputed",
    Recovery.INVERT: "inverted",
    Recovery.TAPE: "recorded",
    Recovery.CHECKPOINT: "checkpointed",
    Recovery.CARRY: "carried",
    Recovery.SELECT: "selected",
}
_AT_HAND = (Recovery.RELOAD, Recovery.RECOMPUTE)  # the code shows them; `explain` has the reasons
_NAMES = 24  # characters of a cell with several values
_HOW: dict[How, str] = {
    "atomic": "atomicAdd",
    "owner": "+=, one owner",
    "phase": "+=, by phase",
    "gathered": "+=, gathered",
    "rims": "+=, atomic at edges",
    "columns": "summed, then atomicAdd",
    "reduce": "reduced per block",
    "warp": "reduced per warp",
    "none": "none",
    "total": "sum per block",
    "exchange": "exchanged",
}


def where(decision: Decision) -> str:
    """Describe where a decision puts its value, in a word or two: `tape_s[STEPS], registers`."""
    return ", ".join(filter(None, (decision.tape or _WHERE[decision.how], decision.where)))


def how(accumulation: Accumulation) -> str:
    """Describe how contributions are added, as in the header."""
    return _HOW[accumulation.how]


def remarks(plan: Plan) -> dict[int, list[str]]:
    """Map each line of the primal to the decisions about its values and its accumulations."""
    found: dict[int, list[str]] = {}
    for d in plan.decisions:
        costs = f" (cost: {d.cost}; alternative: {d.other})" if d.cost and d.other else ""
        for line in dict.fromkeys((d.line, *d.needed)):
            found.setdefault(line, []).append(f"{d.value}: {where(d)}; {d.reason}{costs}")
    for a in plan.accumulations:
        for line in a.lines:
            found.setdefault(line, []).append(f"{a.target}: {how(a)}; {a.reason}")
    return found


# ---- the header --------------------------------------------------------------


def _needs(decisions: Sequence[Decision]) -> list[str]:
    """Return the table of decisions; equal decisions share a row, values that the code has at hand none."""
    decisions = [d for d in decisions if not d.integer and d.how not in _AT_HAND]
    several = {value for value, count in Bag(d.value for d in decisions).items() if count > 1}
    rows: dict[tuple[str, str], list[str]] = {}
    for d in decisions:
        value = f"{d.value} (line {d.line})" if d.value in several and d.line else d.value
        rows.setdefault((where(d), d.reason), []).append(value)
    cells = [
        (",\n".join(in_rows(dict.fromkeys(values), _NAMES)), place, reason)
        for (place, reason), values in rows.items()
    ]
    return table(cells, PROSE_WIDTH - 5, gap=3)


def _sums(accumulations: Sequence[Accumulation]) -> list[str]:
    """Return the table of accumulations; adjoints that are added up alike share a row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for a in accumulations:
        rows.setdefault((how(a), a.reason), []).append(a.target)
    cells = [
        (",\n".join(in_rows(_by_fields(targets), _NAMES)), way, reason)
        for (way, reason), targets in rows.items()
    ]
    return table(cells, PROSE_WIDTH - 5, gap=3)


def _by_fields(targets: Iterable[str]) -> list[str]:
    """Return names, with the array once for neighbouring fields of it: `adj_p[..].x`, `.y`."""
    found: list[str] = []
    last = ""
    for target in dict.fromkeys(targets):
        whole, dot, field = target.rpartition(".")
        again = whole.endswith("]") and whole == last
        found.append(dot + field if again else target)
        last = whole
    return found


def _header(adjoint: Adjoint) -> View:
    primal = adjoint.origin or adjoint.program.kernel
    place = primal.span.source.name.rsplit("/", 1)[-1] if primal.span else "?"
    plan = adjoint.plan
    return {
        "name": adjoint.kernel.name,
        "primal": primal.name,
        "derivative": adjoint.derivative,
        "place": place,
        "version": VERSION,
        "command": adjoint.command,
        "launch": adjoint.contract.launch,
        "arguments": table(adjoint.contract.arguments, CODE_WIDTH - 5, gap=3),
        "notes": adjoint.contract.notes,
        "needs": _needs(plan.decisions),
        "sums": _sums(plan.accumulations),
        "kinks": list(dict.fromkeys(plan.kinks)),
        "memory": memory(adjoint),
        "choices": ", ".join(adjoint.program.choices),
        "kept": " and ".join(adjoint.kept),
        "template": ""
        if adjoint.kept
        else ", ".join(f"{a.name} = {a.text}" for a in adjoint.program.template),
        "companion": place if adjoint.behind is not None else "",
        "assumptions": "; ".join(dict.fromkeys(a.rstrip(".") for a in plan.assumptions)),
    }


# ---- the preamble ------------------------------------------------------------


def _texts(view: object) -> Iterator[str]:
    """Yield every piece of code in a record, without comments."""
    match view:
        case str():
            yield view
        case Mapping():
            if view.get("kind") not in ("quote", "comment", "banner"):
                for key, value in view.items():
                    if key not in ("why", "kind", "remark", "how", "lesson"):
                        yield from _texts(value)
        case list() | tuple():
            for value in view:
                yield from _texts(value)
        case _:
            pass


_HEADERS = {"cuda_fp16.h": HALF, "cuda_bf16.h": BFLOAT16}


def _includes(used: Iterable[str], functions: Sequence[Function]) -> list[str]:
    """Return the headers of half precision whose names are used; a variable may be called `half`."""
    variables = {s.name.partition(".")[0] for f in functions for s in (*f.syms, *symbols(f.body))}
    names = set(used) - variables - {f.name for f in functions}
    return [
        f"#include <{header}>"
        for header, half in _HEADERS.items()
        if names & {half.name, f"{half.name}2", half.name.strip("_"), CONVERSIONS[half.name, "float"]}
    ]


# ---- the file ----------------------------------------------------------------


def _taken(program: Program) -> frozenset[str]:
    """Return the author's names in the emitted code."""
    functions = (*program.functions.values(), program.kernel)
    found = {*reserved(program), *(f.name for f in functions), *(c.sym.name for c in program.constants)}
    for f in functions:
        found |= {s.name for s in f.syms}
        found |= {s.sym.name for s in statements(f.body) if isinstance(s, Declare)}
    return frozenset(found)


def printer_for(function: Function, adjoint: Adjoint) -> Printer:
    """Return the printer of one function of the file, with names that don't collide."""
    names = [f.name for f in adjoint.functions]
    overloaded = frozenset(name for name, count in Bag(names).items() if count > 1)
    if adjoint.behind is not None:  # the file may have more functions of a name than the adjoint calls
        overloaded |= {f.name for f in adjoint.program.functions.values()}
    program = adjoint.program
    called = assigned(function, reserved(program, adjoint.behind), program.macros)
    if adjoint.behind is not None:
        called |= {s: adjoint.own + name for s, name in called.items() if _is_other(s, adjoint.behind)}
    return Printer(called, overloaded, frozenset(called[sym] for sym in function.syms))


def _is_other(sym: Sym, behind: Behind) -> bool:
    """Whether the launch's shared memory has another type than in the primal file's declaration."""
    if sym.storage != "shared" or not isinstance(sym.type, Array) or not sym.type.open:
        return False
    return behind.dynamic.get(sym.name) != sym.type.element.spelled


def lessons_of(adjoint: Adjoint, printer: Printer) -> Lessons:
    """Return what the lesson skin says of a function's statements."""
    recorded = {d: where(d) for d in adjoint.plan.decisions}
    return Lessons(Formulas(printer, adjoint.prefix), adjoint.plan, recorded)


def _function(
    state: Emitted, beside: Mapping[int, Sequence[str]], sums: Mapping[BlockAdd, str], taught: bool
) -> View:
    adjoint, function = state.adjoint, state.function
    primal = adjoint.program.kernel.span
    home = primal.source.name if primal else ""
    printer = printer_for(function, adjoint)
    lessons = lessons_of(adjoint, printer) if taught else None
    viewer = Viewer(printer, home, beside, sums=sums, lessons=lessons)
    pairs = {f"{adjoint.prefix}{sym.name}": sym.name for sym in function.syms}
    for signature in (adjoint.signature, adjoint.forward_signature, adjoint.measure_signature):
        if signature is not None and signature.name == function.name:
            pairs |= {a.name: a.of for a in signature.arguments if a.of}
    return viewer.function(function, pairs)


def file_view(adjoint: Adjoint, runner: Runner = PLAIN, taught: bool = False) -> View:
    """Return everything that the templates need for one file; `runner` runs the last passes.

    If `taught`, statements have what the lesson skin says of them.
    """
    beside = remarks(adjoint.plan)
    taken = _taken(adjoint.program)
    own = adjoint.own
    if adjoint.behind is not None:
        taken |= adjoint.behind.names
    totals = total_names(adjoint.kernel, taken, own)
    called = [runner.run(AS_WRITTEN, Emitted(f, adjoint)) for f in adjoint.functions]
    kernels = [f for f in (adjoint.measure, adjoint.forward, adjoint.kernel) if f is not None]
    written = [runner.run(AS_WRITTEN, Emitted(f, adjoint, totals)) for f in kernels]
    adds = tuple(stmt for state in written for stmt in state.function.body)
    sums = sum_names(adds, taken, own)
    functions = [_function(state, beside, sums, taught) for state in called]
    views = [_function(state, beside, sums, taught) for state in written]
    tape, shared = host_view(adjoint), shared_view(adjoint)
    used = dict.fromkeys(
        name for text in _texts([functions, views, tape or [], shared or []]) for name in identifiers(text)
    )
    included = _includes(used, [*adjoint.program.functions.values(), *adjoint.functions, *kernels])
    once, dimensions = called_once(adds), adjoint.dimensions
    return {
        "header": _header(adjoint),
        "preamble": [*([included] if included else []), *preamble(adjoint, used)],
        "undone": undone(adjoint, used),
        "helpers": helpers(
            [*adjoint.functions, *kernels],
            sums,
            totals,
            reduced_alone(adds),
            once,
            unsure(adds),
            adjoint.threads,
            adjoint.declared_threads,
            adjoint.whole_warps,
            dimensions,
            own,
            there=[f.name for f in adjoint.functions] if adjoint.program.adjoint else [],
        ),
        "vectors": vector_helpers(s.function for s in (*called, *written)),
        "functions": functions,
        "tape": tape,
        "shared": shared,
        "kernels": views,
    }
