"""Colour of code on the page: a class for each run of characters, by what a reviewer looks for.

Comments, literals and directives are told apart by their form; adjoints and tapes by the names that
the transformation gave them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<directive>^[ \t]*\#[^\n]*)
      | (?P<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|\b\d[\w.]*(?:(?<=[eEpP])[+-]\w+)?|\.\d\w*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<other>[^\w"'/#.]+|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """alignas auto bool break case char class const constexpr continue default do double else enum extern
    false float for if inline int long namespace nullptr operator return short signed size_t sizeof static
    struct switch template this true typedef typename union unsigned using void volatile while
    __constant__ __device__ __forceinline__ __global__ __host__ __launch_bounds__ __noinline__ __restrict__
    __restrict __shared__""",
    )
)
_THREADS = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})


@dataclass(frozen=True)
class Names:
    """The names of variables that hold adjoints, and of those that hold recorded values."""

    adjoints: Collection[str] = ()
    tapes: Collection[str] = ()


Run = tuple[str, str]
"""A class, or "" for none, and the characters."""


def coloured(text: str, names: Names) -> list[list[Run]]:
    """Return the runs of each line of a text."""
    lines: list[list[Run]] = [[]]
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        for number, part in enumerate(match.group().split("\n")):
            if number:
                lines.append([])
            if part:
                _add(lines[-1], _class(kind, part, names), part)
    return lines


def _class(kind: str, text: str, names: Names) -> str:
    match kind:
        case "comment" | "directive" | "literal":
            return kind
        case "word" if text in names.adjoints:
            return "adjoint"
        case "word" if text in names.tapes:
            return "tape"
        case "word" if text in _KEYWORDS:
            return "keyword"
        case "word" if text in _THREADS or text.startswith(("atomic", "__sync", "__shfl")):
            return "thread"
        case _:
            return ""


def _add(line: list[Run], kind: str, text: str) -> None:
    if line and line[-1][0] == kind:
        line[-1] = kind, line[-1][1] + text
    else:
        line.append((kind, text))
