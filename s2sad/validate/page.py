"""Print a report as one table: what was checked, on how much, the worst value, the verdict.

It is plain text for a file or a pipe, and coloured for a terminal. Errors follow the table,
each with its place, then warnings and notes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .findings import Findings, Row

if TYPE_CHECKING:
    from rich.console import Group

    from ..run.coverage import Coverage

_MOST = 6  # places in a line of the table
HEADINGS = ("checked", "scope", "worst", "verdict")


class Line(NamedTuple):
    """One line of the table. `ok` is None if the result is inconclusive."""

    checked: str
    looked_at: str
    worst: str
    verdict: str
    ok: bool | None


def table(report: Findings) -> list[Line]:
    """Return a line for each gradient, for tangents, floats, each watched kernel, the contract, coverage."""
    gradients = [_gradient(row) for row in report.rows]
    judged = [*gradients, *_tangents(report), *_floats(report), *_watched(report), *_rest(report)]
    return [*judged, *_reached(report)]


def title(report: Findings) -> str:
    if any(row.verdict != "not compared" for row in report.rows):
        error = f"worst relative error {report.worst:.1e}"
    else:
        error = "nothing compared" if report.wrong else "choose other data"
    return f"{error}, tolerance {report.tolerance:.0e}, backend {report.backend}"


def wrong(report: Findings) -> list[str]:
    """Return the errors, a clause each."""
    found = [fault.text() for fault in report.faults if not fault.harmless]
    found += [text for row in report.rows for text in wrong_values(row)]
    found += [exact.text() for exact in report.exact if exact.verdict == "wrong"]
    found += [single.text() for single in report.floats if single.verdict == "wrong"]
    return found + [f"violated: {finding.what}" for finding in report.findings if not finding.ok]


def notes(report: Findings) -> list[str]:
    harmless = [f.text() for f in report.faults if f.harmless and not f.allowed]
    unwatched = [f"accesses were not watched: {report.unwatched}"] if report.unwatched else []
    return [
        *report.undetermined,
        *unwatched,
        *report.notes,
        *harmless,
        *(note for one in report.coverage for note in _of_coverage(one)),
    ]


def warnings(report: Findings) -> list[str]:
    """Return faults that the hardware allows and the verdict ignores, but a kernel should avoid."""
    return [fault.text() for fault in report.faults if fault.allowed]


def text(report: Findings) -> str:
    """Return the report as plain text."""
    rows = [HEADINGS, *(line[:4] for line in table(report))]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
    lines = [f"{report.kernel}: {verdict(report)}: {title(report)}", ""]
    lines += ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    told = [f"wrong: {what}" for what in wrong(report)]
    told += [*(f"warning: {what}" for what in warnings(report)), *(f"note: {n}" for n in notes(report))]
    return "\n".join([*lines, *([""] if told else []), *told]) + "\n"


def drawn(report: Findings) -> Group:
    """Return the report for a terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    style = "bold green" if report.ok else "bold red" if report.wrong else "bold yellow"
    head = Text.assemble((report.kernel, "bold"), ": ", (verdict(report), style), f": {title(report)}")
    grid = Table(box=None, pad_edge=False, header_style="dim")
    for heading in HEADINGS:
        grid.add_column(heading, overflow="fold")
    for line in table(report):
        color = {True: "green", False: "red", None: "yellow"}[line.ok]
        grid.add_row(line.checked, line.looked_at, line.worst, Text(line.verdict, color))
    told = [Text.assemble(("wrong: ", "red"), what) for what in wrong(report)]
    told += [Text.assemble(("warning: ", "yellow"), what) for what in warnings(report)]
    told += [Text.assemble(("note: ", "cyan"), note) for note in notes(report)]
    return Group(head, Text(), grid, *([Text()] if told else []), *told)


def verdict(report: Findings) -> str:
    """Return the verdict in a few words."""
    if report.wrong:
        return "WRONG"
    if not report.ok:
        left = [row.name for row in report.rows if row.verdict == "not compared"]
        of = "" if len(left) == len(report.rows) else f" of {', '.join(left)}"
        return f"nothing{of} could be compared" + (", all else is right" if of else "")
    if report.unwatched:
        return "ok, accesses not watched"
    if report.zero:
        return "ok, but every gradient is zero on this data"
    if not report.coverage or report.covered:
        return "ok"
    return "ok, coverage not counted" if report.covered is None else "ok on what ran"


def _gradient(row: Row) -> Line:
    looked = f"{row.checked} of {row.elements} elements"
    if row.directions:
        looked += f", {row.directions} directions"
    if 0 < row.nonzero < row.elements:
        looked += f", {row.elements - row.nonzero} zero"
    if skipped := len(row.kinks) + len(row.not_finite) + len(row.unresolved):
        looked += f", {skipped} skipped"
    worst = "" if row.verdict == "not compared" else f"{row.worst:.1e}"
    zero = row.zero and row.verdict == "ok"
    verdict = f"{row.wrong} wrong" if row.verdict == "wrong" else "zero" if zero else row.verdict
    ok = None if zero or row.verdict == "not compared" else row.verdict == "ok"
    return Line(f"{row.kind} of {row.name}", looked, worst, verdict, ok)


def _tangents(report: Findings) -> Iterator[Line]:
    for order, what in ((1, "exact tangents"), (2, "exact second derivatives")):
        every = [exact for exact in report.exact if exact.order == order]
        if not every:
            continue
        known = [exact.residual for exact in every if exact.verdict != "not finite"]
        looked = f"{len(known)} directions"
        if len(known) < len(every):
            looked = f"{len(known)} of {len(every)} directions, others not finite"
        if known:
            count = sum(exact.verdict == "wrong" for exact in every)
            yield _counted(what, looked, f"{max(known):.1e}", count)
        else:
            yield Line(what, looked, "", "not compared", None)


def _floats(report: Findings) -> Iterator[Line]:
    compared = [single for single in report.floats if single.verdict != "not compared"]
    if compared:
        looked = f"{sum(single.elements for single in compared if not single.double)} elements"
        worst = f"{max(single.worst for single in compared):.2g} units"
        yield _counted("float as float", looked, worst, sum(single.wrong for single in compared))


def _watched(report: Findings) -> Iterator[Line]:
    if report.unwatched:
        yield Line("races, barriers, memory", "no accesses", "", "not watched", None)
    for seen in report.watched:
        count = sum(not fault.harmless for fault in seen.faults)
        looked = f"{seen.accesses} accesses"
        if seen.active:
            looked += f", {seen.active} of {seen.threads} threads store"
        yield _counted(f"races, barriers, memory of {seen.kernel}", looked, "", count)


def _rest(report: Findings) -> Iterator[Line]:
    if report.findings:
        count = sum(not finding.ok for finding in report.findings)
        yield _counted("array contract", f"{len(report.findings)} conditions", "", count)


def _reached(report: Findings) -> Iterator[Line]:
    """Yield a line for the coverage of each text."""
    for one in report.coverage:
        checked = f"lines reached of {one.kernel}"
        if not one.counted:
            yield Line(checked, "", "", "not counted", None)
            continue
        lines = f"{sum(one.lines.values())} of {len(one.lines)}"
        if one.sides:
            lines += f", {sum(one.sides.values())} of {len(one.sides)} sides"
        names = one.names()
        told = ", ".join(names[:_MOST])
        told += f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
        yield Line(
            checked,
            lines,
            "",
            f"not: {told}" if names else "all" if not one.reasons else "ok",
            one.whole or None,
        )


def _of_coverage(one: Coverage) -> Iterator[str]:
    """Yield notes on coverage that don't fit into the table."""
    if one.why_not:
        yield f"lines of {one.kernel} were not counted: {one.why_not}"
    if one.coarse:
        yield f"of {one.kernel}, sides within expressions were not counted"
    names = one.names()
    if len(names) > _MOST:
        yield f"{one.kernel}: not reached: {', '.join(names)}"
    by_reason: dict[str, list[str]] = {}
    for name, why in one.given:
        by_reason.setdefault(why, []).append(name)
    for why, places in by_reason.items():
        yield f"{one.kernel}: {', '.join(places)} not reached: {why}"


def _counted(checked: str, looked_at: str, worst: str, wrong: int) -> Line:
    return Line(checked, looked_at, worst, f"{wrong} wrong" if wrong else "ok", not wrong)


def wrong_values(row: Row) -> Iterator[str]:
    """Yield how an argument differs, if it does."""
    if row.verdict == "wrong":
        at = "along a direction" if row.element is None else f"at [{row.element}]"
        by = f" (relative {row.worst:.1e})" if math.isfinite(row.worst) else ""
        who = "adjoint" if row.kind == "gradient" else "kernel"
        yield (
            f"{row.kind} of {row.name}: {row.wrong} of {row.checked + row.directions} compared; worst {at}: "
            f"the {who} gives {row.adjoint:.9g}, differences {row.difference:.9g}{by}"
            + (f"; {row.writer.text()}" if row.writer else "")
        )
