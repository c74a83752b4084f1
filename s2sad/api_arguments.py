"""The arguments of the Python interface as options: names, template arguments, assumptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from . import options
from .diagnostics import Code, Diagnostic, Rejected, diagnose

TemplateArgument = str | int
Template = Mapping[str, TemplateArgument | Sequence[TemplateArgument]]
"""The arguments of a kernel template: `{"T": "float", "N": 4}`; several of a parameter as a list."""


def instances(given: Template | None) -> list[tuple[tuple[str, str], ...]]:
    """Return the template arguments of each instance, in C spelling. Raises Rejected."""
    for key, values in (given or {}).items():
        if not _values(values):
            help = f'for instance template={{"{key}": ["float", "double"]}}'
            raise Rejected(diagnose(Code.USAGE, None, what=f"no template argument for {key}", help=help))
    several = [[(key, _spelled(value)) for value in _values(values)] for key, values in (given or {}).items()]
    return [tuple(one) for one in product(*several)]


def which(given: Template | None, instance: tuple[tuple[str, str], ...]) -> list[str]:
    """Return a note on the template arguments, if there are several instances."""
    if len(instances(given)) == 1:
        return []
    return [f"of several instances, this is the one for {', '.join(f'{k} = {v}' for k, v in instance)}"]


def template_arguments(given: Template | None, keep: bool) -> tuple[tuple[str, str], ...]:
    """Return template arguments in C spelling; several values of a parameter only for `keep`."""
    found = tuple((key, _spelled(v)) for key, values in (given or {}).items() for v in _values(values))
    if len(found) > len(given or {}) and not keep:
        names = {key for key, _ in found if sum(key == other for other, _ in found) > 1}
        help = "keep_template=True emits one text for several types; or transform each by itself"
        what = f"several template arguments for {', '.join(sorted(names))}"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=help))
    return found


def _values(given: TemplateArgument | Sequence[TemplateArgument]) -> Sequence[TemplateArgument]:
    return [given] if isinstance(given, str | int) else given


def _spelled(value: TemplateArgument) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def sequence(names: str | Sequence[str]) -> tuple[str, ...]:
    """Return names that are given in a sequence or in one text, `"x, w"`."""
    if isinstance(names, str):
        return tuple(part.strip() for part in names.split(",") if part.strip())
    return tuple(names)


def chosen(what: str, value: object, known: Mapping[str, options.Choice]) -> options.Choice | None:
    """Return one of the known values of an option; None if it isn't given. Raises Rejected."""
    if value is None:
        return None
    if str(value) not in known:
        help = f"valid: {', '.join(known)}"
        raise Rejected(diagnose(Code.USAGE, None, what=f"{what} {value!r}", help=help))
    return known[str(value)]


def assumption(text: str) -> options.Assumption:
    """Parse an assumption. Raises Rejected."""
    try:
        return options.assumption(text)
    except options.Unclear as unclear:
        raise Rejected(diagnose(Code.USAGE, None, what=f"assume: {unclear.why}", help=unclear.help)) from None


def several(directions: int | None) -> int | None:
    """Return a number of directions. Raises Rejected."""
    return None if directions is None else _number("directions", directions, options.directions)


def several_seeds(seeds: int | None) -> int | None:
    """Return a number of seeds. Raises Rejected."""
    return None if seeds is None else _number("seeds", seeds, options.seeds)


def budget(bytes: int | None) -> int | None:
    """Return the limit of a thread's tape. Raises Rejected."""
    return None if bytes is None else _number("tape_budget", bytes, options.tape_budget)


def _number(name: str, given: int, read: Callable[[str], int]) -> int:
    try:
        return read(str(given))
    except options.Unclear as unclear:
        what = f"{name}: {unclear.why}"
        raise Rejected(diagnose(Code.USAGE, None, what=what, help=unclear.help)) from None


def misused(
    made: bool,
    adjoint: object,
    case: object,
    args: object,
    grid: object,
    block: object,
    shared_bytes: int,
    tolerance: float | None,
) -> Diagnostic | None:
    """Return what is wrong with a call of `check`, of an adjoint if `made`; None if nothing is."""
    launch = {"args": args, "grid": grid, "block": block}
    missing = [name for name, value in launch.items() if value is None]
    what = ""
    if 0 < len(missing) < len(launch):
        what, help = f"a launch without {' and '.join(missing)}", "give all of args, grid and block"
    elif not missing and case is not None:
        what, help = "a case and arguments", "give either case, or args, grid and block"
    elif made and adjoint is not None:
        what, help = "two adjoints", "to check one from a file, give its primal first"
    elif made and missing:
        what, help = "an Adjoint without arguments", "give args, grid and block, or check its primal's file"
    elif missing and shared_bytes:
        what, help = "shared_bytes without arguments", "give args, grid and block with it"
    elif tolerance is not None and not 0 < tolerance < 1:
        what, help = f"tolerance {tolerance}", "give a number between 0 and 1"
    return diagnose(Code.USAGE, None, what=f"check: {what}", help=help) if what else None
