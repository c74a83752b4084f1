"""Find the roles of the forward's arrays by launches, and so the values of the backward's.

A text says which arrays may be written. Launches show which are, and whether their old
values are read first. An array whose old values don't matter is an output,
and a backward that takes it needs its values at exit. An array that is changed
in place is passed with its values at entry, unless the case says `exit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..signature import Argument, Signature, Use
from ..validate.elements import Array, dtype, is_floating
from ..validate.recipe import Value
from .job import Job
from .matching import spellings

Run = Callable[[Mapping[str, Value]], Mapping[str, Array]]


@dataclass(frozen=True)
class Roles:
    """`adjoints` are the adjoint parameters by name of the forward's, with their use.

    `values` are those of the backward's other parameters. `lenient`: seeds that aren't
    const, and may be kept or replaced.
    """

    of: tuple[str, ...]
    wrt: tuple[str, ...]
    adjoints: Mapping[str, Argument]
    values: Mapping[str, Value]
    lenient: frozenset[str]
    notes: tuple[str, ...]

    @property
    def signature(self) -> Signature:
        """The adjoints as one signature, to compare gradients."""
        compared = tuple(a for name, a in self.adjoints.items() if a.use == "seed" or name in self.asked)
        return Signature("backward", compared, self.of, self.wrt)

    @property
    def asked(self) -> frozenset[str]:
        """The parameters whose gradients are compared."""
        return frozenset((*self.wrt, *(name for name, a in self.adjoints.items() if a.use == "replaced")))


def roles(
    job: Job,
    args: Mapping[str, Value],
    outputs: Mapping[str, Array],
    run: Run,
    shown: Roles | None = None,
) -> Roles:
    """Find the roles of the arrays from this launch, and from the roles `shown` by another.

    Raises Rejected if there is no dependent or no independent.
    """
    known = (shown.of, shown.wrt) if shown is not None else ((), ())
    floating = [a.name for a in job.primal.arguments if is_floating(a.type) and a.name in job.adjoints]
    changed = {a.name for a in job.primal.arguments if a.pointer and _differs(args[a.name], outputs[a.name])}
    read = {name for name in changed if _matters(name, args, outputs, run)}
    const = {name for name, found in job.adjoints.items() if all(a.const for a in found)}
    of = job.primal.dependents or tuple(
        n for n in floating if n in changed or n in known[0] or _is_seed(job, n, const)
    )
    wrt = job.primal.independents or tuple(
        n for n in floating if n not in const and (n not in of or n in read or n in known[1])
    )
    _refuse(job, of, wrt, const)
    apart = job.settings.seeds.keys()
    adjoints = {
        name: replace(found[0], use="accumulates" if name in apart else _use(name, of, wrt, changed))
        for name, found in job.adjoints.items()
    }
    values = dict(args)
    for name in changed:
        if not job.records and (name not in read or name in job.settings.exit):
            values[name] = outputs[name]
    lenient = frozenset(name for name in of if name not in wrt and name not in const)
    notes = tuple(_notes(job, of, wrt, read))
    return Roles(of, wrt, adjoints, values, lenient, notes)


def buffers(roles: Roles, args: Mapping[str, Value], seeds: Mapping[str, Array]) -> dict[str, Array]:
    """Return the initial adjoint arrays: the seed of a dependent, else zero."""
    found: dict[str, Array] = {}
    for name, argument in roles.adjoints.items():
        kind = dtype(argument.type, "double")
        value = args[name]
        if name in seeds and argument.use in ("seed", "replaced"):
            found[name] = seeds[name].astype(kind)
        elif isinstance(value, np.ndarray):
            found[name] = np.zeros(value.shape, kind)
        else:
            found[name] = np.zeros(1, kind)
    return found


def _use(name: str, of: tuple[str, ...], wrt: tuple[str, ...], changed: set[str]) -> Use:
    if name in of:
        return "replaced" if name in wrt else "seed"
    return "scratch" if name in changed else "accumulates"


def _is_seed(job: Job, name: str, const: set[str]) -> bool:
    """Whether an array may be written but its adjoint is const: an output, even if not written here."""
    return name in const and not job.primal.argument(name).const and job.primal.argument(name).pointer


def _differs(before: Value, after: Array) -> bool:
    return not np.array_equal(np.asarray(before), after, equal_nan=after.dtype.kind == "f")


def _matters(name: str, args: Mapping[str, Value], outputs: Mapping[str, Array], run: Run) -> bool:
    """Whether the forward's result depends on the array's values at entry."""
    entry = args[name]
    assert isinstance(entry, np.ndarray)
    if entry.dtype.kind == "f":
        other = np.random.default_rng(7).uniform(0.5, 1.5, entry.shape).astype(entry.dtype)
    else:
        other = np.where(entry == 0, 1, 0).astype(entry.dtype)
    try:
        found = run({**args, name: other})
    except Rejected:
        return True  # other values cause an out-of-bounds access or an endless loop
    for each, expected in outputs.items():
        same = (found[each] == expected) | ((found[each] != found[each]) & (expected != expected))
        if each == name:
            same |= (found[each] == other) & (expected == entry)  # not written
        if not np.all(same):
            return True
    return False


def _refuse(job: Job, of: tuple[str, ...], wrt: tuple[str, ...], const: set[str]) -> None:
    wrong: list[Diagnostic] = []
    kernel = job.backward[0]
    parameters = ", ".join(name for entry in job.backward for name in entry.names)
    for name in wrt:
        if name in const:
            found = job.adjoints[name][0]
            wrong.append(
                diagnose(
                    Code.AUDIT_NO_ADJOINT,
                    kernel.kernel.span,
                    name=f"{name} that can be written ({found.name} is const)",
                    kernel=kernel.name,
                    parameters=parameters,
                    spellings=" or ".join(spellings(name)),
                )
            )
    for asked, what in ((of, "an output of the forward"), (wrt, "an input of the forward")):
        if not asked:
            wrong.append(
                diagnose(
                    Code.AUDIT_NO_ADJOINT,
                    kernel.kernel.span,
                    name=what,
                    kernel=kernel.name,
                    parameters=parameters,
                    spellings="adj_NAME or grad_NAME or dNAME",
                )
            )
    if wrong:
        raise Rejected(*wrong)


def _notes(job: Job, of: tuple[str, ...], wrt: tuple[str, ...], read: set[str]) -> Iterator[str]:
    if not job.primal.dependents or not job.primal.independents:
        yield f"of {', '.join(of)}, wrt {', '.join(wrt)}: inferred from the parameters' names"
    passed = {a.of for s in job.signatures for a in s.arguments if a.role == "value"}
    for name in sorted(read & passed) if not job.records else ():
        if name in job.settings.exit:
            yield f"{name} is changed in place; the backward gets its value after the forward"
        else:
            yield (
                f"{name} is changed in place; the backward gets its value before the forward "
                f'(for its value after the forward: [backward] exit = ["{name}"])'
            )
    for name in job.adjoints:
        if name not in of and name not in wrt:
            yield f"the adjoint of {name} was not requested and not compared"
