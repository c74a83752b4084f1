"""The findings of a check as entries, each with its place: the input of the formats for tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from ..entries import Entry, Level, Place
from . import page
from .findings import Findings

CHECKED = {
    "wrong-gradient": "A gradient differs from differences of the kernel's results.",
    "wrong-tangent": "A gradient differs from exact tangents of the kernel.",
    "lost-digits": "A result in float has fewer correct digits than float can give.",
    "broken-contract": "An argument isn't left as the header of the emitted file promises.",
    "not-compared": "Nothing of this argument could be compared on the data of the case.",
    "not-reached": "A line, or a side of a condition, never ran on the data of the case, so it is unchecked.",
    "race": "Threads access one element without an order, and one of them stores to it.",
    "same-value": "Threads store the same value to one element without an order.",
    "out-of-bounds": "An access is outside the array.",
    "unwritten-shared": "Shared memory is read before anything is stored there.",
    "misaligned": "An access is at an address that its type can't have.",
    "division-by-zero": "An integer is divided by zero.",
    "missing-return": "A function ends without the value that it should return.",
    "divergent-barrier": "Threads of a block wait at different barriers.",
    "missed-barrier": "A barrier opens although threads of the block have returned.",
    "endless": "A launch didn't end in its time.",
    "crash": "A launch crashed.",
    "failed": "A launch failed.",
}
"""What `check` and `audit` report; all other codes are explained by `s2sad help CODE`."""


def of(report: Findings, kernels: Mapping[str, Place]) -> tuple[Entry, ...]:
    """Return the findings of a check.

    `kernels` are the places of the kernels' definitions in files, by name, the primal's first. A finding in a
    text that was only generated has the place of the kernel that it was generated from.
    """
    return tuple(dict.fromkeys(_entries(report, kernels)))


def _entries(report: Findings, kernels: Mapping[str, Place]) -> Iterator[Entry]:
    first = next(iter(kernels.values()), None)
    own = kernels.get(report.kernel, first)

    def at(kernel: str, line: int | None) -> Place | None:
        place = kernels.get(kernel)
        return first if place is None else place if line is None else Place(place.file, line)

    for fault in report.faults:
        places = [at(fault.kernel, access.line) for access in fault.accesses]
        level: Level = "note" if fault.kind == "same-value" else "warning" if fault.harmless else "error"
        related = tuple((place, "the other access") for place in places[1:] if place is not None)
        yield Entry(level, fault.kind, fault.text(), places[0] if places else own, "", related)
    for row in report.rows:
        if row.verdict == "not compared":
            said = f"nothing of {row.name} could be compared"
            yield Entry("warning", "not-compared", said, own, "choose other data in the case file")
        for said in page.wrong_values(row):
            who = row.writer
            place = at(who.kernel, who.access.line) if who is not None and who.access is not None else own
            yield Entry("error", "wrong-gradient", said, place)
    for exact in report.exact:
        if exact.verdict == "wrong":
            yield Entry("error", "wrong-tangent", exact.text(), own)
    for single in report.floats:
        if single.verdict == "wrong":
            yield Entry("error", "lost-digits", single.text(), own)
    for finding in report.findings:
        if not finding.ok:
            yield Entry("error", "broken-contract", f"violated: {finding.what}", own)
    yield from _unreached(report, kernels)


def _unreached(report: Findings, kernels: Mapping[str, Place]) -> Iterator[Entry]:
    """Yield what never ran of the texts that are files."""
    for coverage in report.coverage:
        if (kernel := kernels.get(coverage.kernel)) is None:
            continue
        for point in coverage.missed:
            if point.file in ("", PurePath(kernel.file).name):
                side = f" ({point.side})" if point.side else ""
                said = f"{coverage.kernel}: never ran{side}: {point.text}"
                yield Entry("note", "not-reached", said, Place(kernel.file, point.line))
