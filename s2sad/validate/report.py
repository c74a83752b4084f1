"""The report of a check: as plain values for JSON, and as text."""

from __future__ import annotations

from dataclasses import dataclass

from . import page
from .elements import finite
from .findings import Findings


@dataclass(frozen=True)
class Report(Findings):
    """All findings of a check; `ok` if nothing is wrong and something of each argument was compared."""

    def to_dict(self) -> dict[str, object]:
        """Return the report as plain values for JSON.

        kernel, backend   names
        ok                whether the adjoint passed
        worst             the largest relative error; null if an adjoint isn't finite or could not be run
        tolerance         the largest relative error allowed
        arguments         a list, one for each adjoint: name, verdict ("ok", "wrong", "not
                          compared"), elements, checked, directions, worst, element (flat index of
                          the worst; null for a direction), adjoint and difference there, wrong (how
                          many), kinks, not_finite and unresolved (flat indices that weren't compared,
                          -1 for a direction), zero (whether all values are zero), nonzero (elements of the
                          adjoint that aren't zero), last_write (of a wrong
                          element: kernel, array, and access with what, block, thread, line, which is
                          null if no thread wrote it; null if it wasn't requested)
        findings          a list of {ok, what}: the contract's other promises
        watched           a list, one for each kernel whose accesses were watched: kernel, accesses
                          (how many), threads (of the launch), active (those that store), ok
        faults            a list of the faults found: kind ("race", "same-value", "out-of-bounds",
                          "unwritten-shared", "misaligned", "division-by-zero", "missing-return",
                          "divergent-barrier", "missed-barrier", "endless", "crash", "failed"),
                          kernel, array, element (flat index; null if there is none), accesses
                          (what, block, thread, line; the later one first), times (how often these
                          lines did it), warning (whether the verdict ignores it: "same-value", and
                          "missed-barrier" in a text that s2sad didn't write), text (a sentence)
        exact             a list of comparisons with exact tangents: argument (null for a direction
                          through all), pushed and pulled (both sides of the product), residual, moved
                          (by rounding), verdict ("ok", "wrong", "tied", "not finite"), ties (lines),
                          order (2 for a second derivative)
        floats            a list, one for each adjoint in a text with `float`: the text unchanged
                          compared with `float` as double. argument, verdict ("ok", "wrong",
                          "not compared"), elements, worst (error of the worst element in units of
                          2^-23 of it, or of the effect of rounding the inputs if that is larger; null
                          if it isn't finite), element, float and double there, wrong (how many),
                          branches (elements near a branch, not judged), small (how many lost
                          digits but are tiny compared with the largest)
        covered           whether every line and every side of a condition ran in both texts, or is
                          excused by the case; null if that wasn't counted
        coverage          a list, one for each kernel (help(s2sad.run.coverage.Coverage.to_dict))
        unwatched         why accesses weren't watched although the backend can; null otherwise
        notes             sentences about how the check was made
        """
        return {
            "kernel": self.kernel,
            "backend": self.backend,
            "ok": self.ok,
            "worst": finite(self.worst),
            "tolerance": self.tolerance,
            "arguments": [row.to_dict() for row in self.rows],
            "findings": [{"ok": finding.ok, "what": finding.what} for finding in self.findings],
            "watched": [seen.to_dict() for seen in self.watched],
            "faults": [fault.to_dict() for fault in self.faults],
            "exact": [exact.to_dict() for exact in self.exact],
            "floats": [single.to_dict() for single in self.floats],
            "covered": self.covered,
            "coverage": [one.to_dict() for one in self.coverage],
            "unwatched": self.unwatched or None,
            "notes": [*self.undetermined, *self.notes],
        }

    def text(self) -> str:
        """Return the report as plain text."""
        return page.text(self)
