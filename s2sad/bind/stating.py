"""Where a launch comes from: the command line, the source, the kernel's case, or a draft; and its test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .. import drafting
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..pipeline import Transformed
from ..signature import REALS, Signature
from ..source import Source, Span
from ..validate import Case
from ..validate.expressions import Expression, parse
from ..validate.hints import Hints, constants
from ..validate.recipe import ArraySpec, Size
from .launch import EXAMPLE, Known, Launch, Shape, Unclear, drafted, stated, uncovered


@dataclass(frozen=True)
class Stating:
    """The text that states a launch, and its place; empty if there is none."""

    text: str
    where: Source
    begin: int
    kernel: Span | None

    @property
    def span(self) -> Span | None:
        return self.part(0, len(self.text))

    def part(self, start: int, end: int) -> Span | None:
        """Return the place of a part of the text; that of the kernel without a text."""
        if not self.text:
            return self.kernel
        return Span(self.where, self.begin + start, self.begin + max(end, start + 1))


def launch_of(
    source: Source, done: Transformed, primal: Signature, given: str, case: Case | None
) -> tuple[Launch, tuple[Diagnostic, ...]]:
    """Return the launch of a kernel, and what was drafted of it. Raises Rejected."""
    kernel = done.program.kernel
    text = given or next(iter(done.program.pragma.get("launch", ())), "")
    place = Stating(
        text,
        Source("--launch", given) if given else source,
        0 if given else max(source.text.find(text), 0),
        kernel.span,
    )
    known = Known(
        tuple(a.name for a in primal.arguments if not a.pointer and a.type not in REALS),
        tuple(a.name for a in primal.arguments if a.pointer),
        constants(source.text),
    )
    hints = Hints.of(drafting.authored(done)).under(map(str, done.options.assume))
    try:
        launch = stated(text, known)
    except Unclear as unclear:
        span, help = place.part(unclear.start, unclear.end), unclear.help or EXAMPLE
        raise Rejected(diagnose(Code.BAD_LAUNCH, span, what=unclear.why, help=help)) from None
    notes: list[Diagnostic] = []
    authored = drafting.authored(done)
    if not launch.grid:
        found = _from_case(launch, case) if case else None
        if found is None or uncovered(found, authored, known.integers):  # made for its size only
            found = _draft(launch, hints, known, place, primal.name)
            origin = "its text"
        else:
            origin = "its case"
        launch = found
        said = {"kernel": primal.name, "origin": origin, "launch": launch.text()}
        notes.append(diagnose(Code.LAUNCH_DRAFTED, kernel.span, **said))
    if short := uncovered(launch, authored, known.integers):
        name, value, threads = short
        said = {"kernel": primal.name, "name": name, "value": str(value), "threads": str(threads)}
        raise Rejected(diagnose(Code.LAUNCH_TOO_SMALL, place.span, **said))
    return launch, tuple(notes)


def shape_in_case(case: Case | None, name: str) -> Shape | None:
    """Return the extents that a case gives an array, as expressions."""
    spec = case.recipe.args.get(name) if case is not None else None
    if not isinstance(spec, ArraySpec) or not spec.shape:
        return None
    return Shape(_expressions(spec.shape))


def _from_case(launch: Launch, case: Case) -> Launch:
    """Complete a launch with grid, block and shared memory of a case."""
    spec = case.recipe.launch
    grid, block = _expressions(spec.grid), _expressions(spec.block)
    (shared,) = _expressions((spec.shared_bytes,))
    return replace(launch, grid=grid, block=block, shared=shared)


def _expressions(sizes: Iterable[Size]) -> tuple[Expression, ...]:
    return tuple(size if isinstance(size, Expression) else parse(str(size)) for size in sizes)


def _draft(launch: Launch, hints: Hints, known: Known, place: Stating, kernel: str) -> Launch:
    try:
        grid, block = drafted(hints, known, known.integers)
    except Unclear as unclear:
        help = f"write it above the kernel: {EXAMPLE}; or pass --launch 'grid=… block=…'"
        what = {"kernel": kernel, "why": unclear.why, "help": help}
        raise Rejected(diagnose(Code.LAUNCH_UNKNOWN, place.kernel, **what)) from None
    return replace(launch, grid=grid, block=block)
