"""The emitted file as records: header, what travels along, functions, kernels.

What travels along (macros, types, constants) is found by name: the records say
which names the file will use, and whatever defines one of them comes, with what
that needs in turn. So nothing is emitted that isn't used.
"""

from __future__ import annotations

import re
from collections import Counter as Bag
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..analysis.plan import Accumulation, Decision, How, Plan
from ..ir import BFLOAT16, HALF, Call, Constant, Declare, Expr, Function, Program, Scalar, statements
from ..transform.syms import mapped, symbols
from ..transform.unit import Adjoint
from ..version import VERSION
from .fold import PROSE_WIDTH, table
from .gather import gathered
from .helpers import called_once, helpers, sum_names, total_names
from .names import KEYWORDS, assigned
from .order import Named, in_order
from .tape import host_view, memory, shared_view
from .text import CONVERSIONS, Printer, identifiers
from .view import View, Viewer

# What the names in a type's text may be without making it needed.
_COMMON = KEYWORDS | {"__device__", "__constant__", "__shared__", "__managed__", "std"}
_WHERE = {
    How.RELOAD: "reloaded",
    How.RECOMPUTE: "recomputed",
    How.INVERT: "inverted",
    How.TAPE: "recorded",
    How.CHECKPOINT: "checkpoints",
    How.CARRY: "carried",
}
_HOW = {
    "atomic": "atomicAdd",
    "owner": "+=, one owner",
    "by phase": "+=, by phase",
    "gathered": "+=, gathered",
    "rims": "+=, rims atomic",
    "columns": "summed, then atomicAdd",
    "reduce": "reduced per block",
    "exchange": "exchanged",
}


def where(decision: Decision) -> str:
    """Where a decision leaves its value, in a word or two: `tape_s[STEPS], registers`."""
    return ", ".join(filter(None, (decision.tape or _WHERE[decision.how], decision.where)))


def how(accumulation: Accumulation) -> str:
    """How contributions are added, as the header says it."""
    return _HOW.get(accumulation.how, accumulation.how)


def remarks(plan: Plan) -> dict[int, list[str]]:
    """For each line of the primal, what was decided about its values and its accumulations."""
    found: dict[int, list[str]] = {}
    for d in plan.decisions:
        costs = f" (cost: {d.cost}; otherwise: {d.other})" if d.cost and d.other else ""
        for line in dict.fromkeys((d.line, *d.needed)):
            found.setdefault(line, []).append(f"{d.value}: {where(d)}; {d.reason}{costs}")
    for a in plan.accumulations:
        for line in a.lines:
            found.setdefault(line, []).append(f"{a.target}: {how(a)}; {a.reason}")
    return found


# ---- the header --------------------------------------------------------------


def _needs(decisions: Sequence[Decision]) -> list[str]:
    """The table of decisions; values with one answer share a row. Indices that are just there have none."""
    decisions = [d for d in decisions if not d.integer]
    several = {value for value, count in Bag(d.value for d in decisions).items() if count > 1}
    rows: dict[tuple[str, str], list[str]] = {}
    for d in decisions:
        value = f"{d.value} (line {d.line})" if d.value in several and d.line else d.value
        rows.setdefault((where(d), d.reason), []).append(value)
    cells: list[tuple[str, str, str]] = []
    for (place, reason), values in rows.items():
        group = ""
        for value in dict.fromkeys(values):
            if group and len(group) + len(value) > 22:
                cells.append((group + ",", place, reason))
                group, place, reason = value, "", ""
            else:
                group = f"{group}, {value}" if group else value
        cells.append((group, place, reason))
    return table(cells, PROSE_WIDTH - 5, gap=3)


def _sums(accumulations: Sequence[Accumulation]) -> list[str]:
    rows = dict.fromkeys((a.target, how(a), a.reason) for a in accumulations)
    return table(list(rows), PROSE_WIDTH - 5, gap=3)


def _header(adjoint: Adjoint) -> View:
    primal = adjoint.program.kernel
    place = f"{primal.span.source.name.rsplit('/', 1)[-1]}:{primal.span.line}" if primal.span else "?"
    plan = adjoint.plan
    return {
        "name": adjoint.kernel.name,
        "primal": primal.name,
        "place": place,
        "version": VERSION,
        "command": adjoint.command,
        "contract": [" ".join(adjoint.contract)] if adjoint.contract else [],
        "needs": _needs(plan.decisions),
        "sums": _sums(plan.accumulations),
        "kinks": list(dict.fromkeys(plan.kinks)),
        "memory": memory(adjoint),
        "choices": ", ".join(adjoint.program.choices),
        "template": ", ".join(f"{a.name} = {a.text}" for a in adjoint.program.template),
        "assumed": ", ".join(dict.fromkeys(a.rstrip(".") for a in plan.assumptions)),
    }


# ---- what travels along ------------------------------------------------------


def _texts(view: object) -> Iterator[str]:
    """Every piece of code in a record; comments aren't."""
    match view:
        case str():
            yield view
        case Mapping():
            if view.get("kind") not in ("quote", "comment", "banner"):
                for key, value in view.items():
                    if key not in ("why", "rule", "kind", "remark", "how", "lesson"):
                        yield from _texts(value)
        case list() | tuple():
            for value in view:
                yield from _texts(value)
        case _:
            pass


_HEADERS = {"cuda_fp16.h": HALF, "cuda_bf16.h": BFLOAT16}


def _includes(used: Iterable[str], functions: Sequence[Function]) -> list[str]:
    """The headers of half precision, where a name of theirs is used: a variable may be called `half`."""
    variables = {s.name.partition(".")[0] for f in functions for s in (*f.syms, *symbols(f.body))}
    names = set(used) - variables - {f.name for f in functions}
    return [
        f"#include <{header}>"
        for header, half in _HEADERS.items()
        if names & {half.name, f"{half.name}2", half.name.strip("_"), CONVERSIONS[half.name, "float"]}
    ]


def _own(constant: Constant) -> str:
    """The constant's text, private to this file, which links beside the primal's."""
    text = constant.text.strip()
    head = text.split("=")[0]
    if re.search(r"\b(static|const|constexpr|enum)\b", head) and "__constant__" not in head:
        return text
    return text if "static" in head else f"static {text}"


_STRUCT = re.compile(r"struct\s+(?:__align__\(\d+\)\s+)?(\w+)\s*\{[^{}]*\};\s*\Z")
"""A definition with nothing else in it that is named from outside."""


def _preamble(adjoint: Adjoint, used: Iterable[str]) -> list[list[str]]:
    """Macros, types and constants that the names in use need, transitively, in source order."""
    program = adjoint.program
    needs: dict[str, frozenset[str]] = {}
    defines: dict[str, frozenset[str]] = {}
    for name, macro in program.macros.items():
        needs[macro.text] = frozenset((*identifiers(macro.text), *macro.needs))
        defines[macro.text] = frozenset({name})
    for text in program.typedefs:
        needs[text] = frozenset(identifiers(text))
        plain = _STRUCT.match(text)
        defines[text] = frozenset({plain[1]}) if plain else needs[text] - _COMMON
    for constant in program.constants:
        needs[constant.text] = frozenset(identifiers(constant.text))
        defines[constant.text] = frozenset({constant.sym.name})
    known = set(used)
    taken: set[str] = set()
    while new := [text for text in defines if text not in taken and defines[text] & known]:
        taken.update(new)
        known.update(name for text in new for name in needs[text])
    parts = [[m.text for m in program.macros.values() if m.text in taken]]
    parts += in_order(
        [text for text in program.typedefs if text in taken],
        [Named(c.sym.name, _own(c)) for c in program.constants if c.text in taken],
    )
    return [list(dict.fromkeys(part)) for part in parts if part]


# ---- the file ----------------------------------------------------------------


def reserved(program: Program) -> Iterable[str]:
    """The file's names that no local may have: macros, and types that stand for another."""
    types = [text for text in program.typedefs if text.startswith(("typedef", "using"))]
    return (*program.macros, *(name for text in types for name in identifiers(text)))


def _taken(program: Program) -> frozenset[str]:
    """The author's names in what is emitted."""
    functions = (*program.functions.values(), program.kernel)
    found = {*reserved(program), *(f.name for f in functions), *(c.sym.name for c in program.constants)}
    for f in functions:
        found |= {s.name for s in f.syms}
        found |= {s.sym.name for s in statements(f.body) if isinstance(s, Declare)}
    return frozenset(found)


def printer_for(function: Function, adjoint: Adjoint) -> Printer:
    """The printer of one function of the file, with names that don't collide."""
    names = [f.name for f in adjoint.functions]
    overloaded = frozenset(name for name, count in Bag(names).items() if count > 1)
    return Printer(assigned(function, reserved(adjoint.program)), overloaded)


def _function(
    function: Function, adjoint: Adjoint, beside: Mapping[int, Sequence[str]], sums: Mapping[str, str]
) -> View:
    primal = adjoint.program.kernel.span
    function = gathered(function)
    home = primal.source.name if primal else ""
    viewer = Viewer(printer_for(function, adjoint), home, beside, sums=sums)
    pairs = {f"{adjoint.prefix}{sym.name}": sym.name for sym in function.syms}
    for signature in (adjoint.signature, adjoint.forward_signature):
        if signature is not None and signature.name == function.name:
            pairs |= {a.name: a.of for a in signature.arguments if a.of}
    return viewer.function(function, pairs)


def _named(function: Function, totals: Mapping[str, str]) -> Function:
    """The function with its sums over the block called by their names."""

    def named(e: Expr) -> Expr | None:
        match e:
            case Call(rule="sum", type=Scalar(name=real)):
                return replace(e, name=totals[real])
            case _:
                return None

    return replace(function, body=tuple(mapped(s, named) for s in function.body)) if totals else function


def file_view(adjoint: Adjoint) -> View:
    """Everything that the templates need for one file."""
    beside = remarks(adjoint.plan)
    taken = _taken(adjoint.program)
    sums, totals = sum_names(adjoint.kernel, taken), total_names(adjoint.kernel, taken)
    functions = [_function(f, adjoint, beside, sums) for f in adjoint.functions]
    kernels = [f for f in (adjoint.forward, adjoint.kernel) if f is not None]
    views = [_function(_named(f, totals), adjoint, beside, sums) for f in kernels]
    tape, shared = host_view(adjoint), shared_view(adjoint)
    used = dict.fromkeys(
        name for text in _texts([functions, views, tape or [], shared or []]) for name in identifiers(text)
    )
    included = _includes(used, [*adjoint.program.functions.values(), *adjoint.functions, *kernels])
    once, dimensions = called_once(adjoint.kernel), adjoint.dimensions
    return {
        "header": _header(adjoint),
        "preamble": [*([included] if included else []), *_preamble(adjoint, used)],
        "helpers": helpers([*adjoint.functions, *kernels], sums, totals, once, adjoint.threads, dimensions),
        "functions": functions,
        "tape": tape,
        "shared": shared,
        "kernels": views,
    }
