"""Build libraries of texts with marks, and read the coverage of a launch.

A text that doesn't compile with every mark is tried without marks within expressions,
and then without marks: then only the reason why nothing was counted is reported.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...signature import Signature
from ..backend import CompileFailed
from ..coverage import Coverage
from ..float_widening import Real
from . import compiler, counting, unit
from .counting import Counted
from .lexemes import Unbalanced

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!line\b|pragma\b|\d)\w", re.MULTILINE)
_ARRAYS = """extern "C" {{
unsigned char s2sad_reached[{count}], s2sad_known[{count}];
}}
S2SAD_EXPORT unsigned char *s2sad_points(unsigned known) {{ return known ? s2sad_known : s2sad_reached; }}
"""


@dataclass(frozen=True)
class Reach:
    """The meaning of a library's marks, or why there are none."""

    file: str
    counted: Counted | None
    why_not: str = ""

    def begin(self, handle: ctypes.CDLL) -> None:
        """Reset the marks that earlier launches reached."""
        if self.counted is not None:
            ctypes.memset(_array(handle, 0), 0, len(self.counted.points))

    def end(self, handle: ctypes.CDLL, kernel: str) -> Coverage:
        """Return the coverage since `begin`."""
        if self.counted is None:
            return Coverage(kernel, self.file, why_not=self.why_not)
        size = len(self.counted.points)
        reached, known = (ctypes.string_at(_array(handle, which), size) for which in (0, 1))
        return self.counted.coverage(kernel, self.file, reached, known)


def build(text: str, signatures: Sequence[Signature], real: Real, name: str) -> tuple[Path, Reach]:
    """Build a watched library with the most marks that compile. Raises CompileFailed, WatchUnavailable."""
    file = name.rsplit("/", 1)[-1]
    whole = unit.write(text, signatures, real, name, watched=True, counted=True)
    head, _, rest = whole.partition(unit.HEADER)
    why = ""
    for counted in _counted(rest, signatures, name):
        count = max(len(counted.points), 1)
        try:
            marked = f"{head}{unit.HEADER}{counted.text}\n{_ARRAYS.format(count=count)}"
            return compiler.build_watched(marked, name), Reach(file, counted)
        except CompileFailed as failed:
            why = why or str(failed)
    plain = compiler.build_watched(unit.write(text, signatures, real, name, watched=True), name)
    lines = [line.strip() for line in why.splitlines() if "error" in line]
    reason = re.sub(r"^.*error:\s*", "", lines[0]) if lines else "its statements can't be distinguished"
    return plain, Reach(file, None, f"{file} doesn't compile with marks: {reason}")


def _counted(rest: str, signatures: Sequence[Signature], name: str) -> Iterator[Counted]:
    """Yield the text with all marks, then with fewer; nothing if it can't be parsed."""
    kernels = [signature.name for signature in signatures]
    try:
        if _DIRECTIVE.search(rest):
            rest = compiler.preprocessed(rest, name)
        for within_expressions in (True, False):
            yield counting.count(rest, kernels, within_expressions=within_expressions)
    except (CompileFailed, Unbalanced, IndexError, RecursionError):
        return


def _array(handle: ctypes.CDLL, which: int) -> int:
    ask = handle.s2sad_points
    ask.argtypes, ask.restype = [ctypes.c_uint], ctypes.c_void_p
    return int(ask(which))
