"""What reviewers object to in emitted adjoints and isn't mended yet, counted for each golden kernel.

    python -m tests.checklist [--write]

checklist.toml has the counts; test_emitted_quality.py compares them, so that none grows unseen, and
--write writes them anew. The rules, each for both shapes and for all functions that s2sad wrote:

numbered: a name with a number, where the author has no such name (`adj_g_2`);
folded: a literal that is the value of one of the author's named constants, and isn't in the kernel's text,
    unless it aligns the tape;
uninitialised: a scalar adjoint that is declared without a value;
guard by value: `if (sum != 0.0f)`, which the author didn't write;
sum in a loop: a sum over a block, warp or group that each iteration makes.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from golden_kit import KERNELS, made, modes, read_again, text

from s2sad.ir import (
    Binary,
    Body,
    Declare,
    DoWhile,
    Evaluate,
    For,
    Function,
    If,
    Scalar,
    Stmt,
    While,
    bodies,
    statements,
)
from s2sad.options import Mode

FILE = Path(__file__).with_name("checklist.toml")
_CONSTANT = re.compile(
    r"^[ \t]*#define[ \t]+(\w+)[ \t]+\(?(\d+)\)?[ \t]*$"
    r"|\b(?:constexpr|const) (?:int|unsigned) (\w+) = (\d+);",
    re.M,
)
_SUM = re.compile(r"(block|warp|group|tile)_(add|sum)")
_ALIGNED = re.compile(r"size_t \w+ = 16;|\+ 15\)\s*/ 16\s*\* 16|\(tape\w* \+ 16\)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def issues(name: str) -> dict[str, int]:
    """Return how often a golden kernel's adjoints, in both shapes, break each rule; without zeros."""
    found: Counter[str] = Counter()
    own = _COMMENT.sub("", text(name))
    for mode in modes(name):
        for function in _ours(name, mode, own):
            for stmt in statements(function.body):
                found.update(_broken(stmt, own))
            found["sum in a loop"] += sum(1 for _ in _sums(function.body, within=False))
        found["folded"] += sum(1 for _ in _folded(made(name, mode).text, own))
    return {rule: count for rule, count in sorted(found.items()) if count}


def _ours(name: str, mode: Mode, own: str) -> Iterator[Function]:
    words = set(re.findall(r"\w+", own))
    program = read_again(name, mode)
    yield program.kernel
    yield from (f for f in program.functions.values() if f.name not in words)


def _broken(stmt: Stmt, own: str) -> Iterator[str]:
    if isinstance(stmt, Declare):
        name = stmt.sym.name
        if re.search(r"_\d+$", name) and not re.search(rf"\b{name}\b", own):
            yield "numbered"
        if stmt.init is None and isinstance(stmt.sym.type, Scalar) and re.match(r"adj\d*_", name):
            yield "uninitialised"
    elif isinstance(stmt, If) and isinstance(stmt.cond, Binary) and stmt.cond.op == "!=":
        span = stmt.cond.span
        spelled = re.sub(r"\s", "", span.source.text[span.start : span.end]) if span else ""
        if re.search(r"!=0\.0f?$", spelled) and spelled not in re.sub(r"\s", "", own):
            yield "guard by value"


def _sums(body: Body, *, within: bool) -> Iterator[Stmt]:
    """Yield calls in loops that add up something of several threads."""
    for stmt in body:
        if within and isinstance(stmt, Evaluate) and _SUM.match(getattr(stmt.call, "name", "")):
            yield stmt
        for inner in bodies(stmt):
            yield from _sums(inner, within=within or isinstance(stmt, For | While | DoWhile))


def _folded(emitted: str, own: str) -> Iterator[str]:
    """Yield literals of the emitted kernels that are, but for one, a named constant of the author's."""
    values = {
        int(value) + by
        for macro, plain, other, number in _CONSTANT.findall(own)
        for value in (plain or number,)
        for by in (-1, 0, 1)
        if (macro or other) and int(value) > 3
    }
    spelled = {int(n) for n in re.findall(r"\b\d+\b", _CONSTANT.sub("", own))}
    bare = _ALIGNED.sub("", _COMMENT.sub("", emitted))
    start = re.search(r"__global__", bare)
    kernel = bare[start.start() :] if start else ""
    yield from (n for n in re.findall(r"(?<![\w.])\d+(?![\w.])", kernel) if int(n) in values - spelled)


def written(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Return the text of checklist.toml."""
    parts = ["# Written by `python -m tests.checklist --write`; the rules are described there.\n"]
    for name, found in counts.items():
        if found:
            parts.append(f"\n[{name}]\n" + "".join(f'"{rule}" = {n}\n' for rule, n in found.items()))
    return "".join(parts)


def known() -> dict[str, dict[str, int]]:
    """Read checklist.toml."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    counts = {name: issues(name) for name in KERNELS}
    total: Counter[str] = Counter()
    for found in counts.values():
        total.update(found)
    for rule, number in sorted(total.items()):
        kernels = sum(rule in found for found in counts.values())
        print(f"{rule}: {number}, in {kernels} of {len(KERNELS)} kernels")
    if "--write" in sys.argv[1:]:
        FILE.write_text(written(counts), encoding="utf-8")
