"""Runs random kernels for a time and prints what fails, made small. Exit status 1 if anything did."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from . import idioms, mutated, nvidia, vectors
from .batch import BUDGET, FORWARD, Verdict, judge, judge_texts
from .blocks import program as of_blocks
from .generate import program as of_threads
from .idioms import Idiom
from .shrink import shrink
from .structs import accepted, disguised
from .textbook import Composed, drawn
from .tree import Program

Drawn = Program | Idiom | Composed
NEAR_MISSES = {"idioms": idioms, "mutated": mutated, "vectors": vectors}
_AT_ONCE = 32
# of one class, so many are shrunk
_EACH = 12


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--count", type=int, default=1 << 30, help="at most so many kernels")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument(
        "--family",
        choices=("threads", "blocks", "structs", "textbook", "textbook-each", *NEAR_MISSES),
        default="threads",
        help="threads alone, or that meet; or alone, with structs and templates; textbook algorithms, "
        "composed or each by itself; near misses of idioms, of golden kernels; vectors with operators",
    )
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds for one failure")
    parser.add_argument("--jobs", type=int, default=2, help="batches at a time")
    parser.add_argument("--out", type=Path, default=None, help="a folder for failing kernels")
    parser.add_argument(
        "--known", default="-", help="classes of failure that are only counted, comma-separated"
    )
    parser.add_argument("--forward", action="store_true", help="check tangent kernels instead of adjoints")
    parser.add_argument("--tape-budget", metavar="BYTES", help="of all kernels")
    chosen = parser.parse_args()
    if chosen.forward:
        os.environ[FORWARD] = "1"
    if chosen.tape_budget:
        os.environ[BUDGET] = chosen.tape_budget
    print(f"seed {chosen.seed}", flush=True)
    began = time.monotonic()
    kinds: Counter[str] = Counter()
    looked: Counter[str] = Counter()
    failed = 0
    begin = "" if chosen.family == "threads" else f"{chosen.family}:"
    labels = (f"{begin}{chosen.seed}:{number}" for number in count(chosen.first))
    with ProcessPoolExecutor(chosen.jobs) as pool:
        todo = islice(labels, chosen.count)
        for one, verdict in _judged(pool, todo, began + 60 * chosen.minutes, chosen.jobs):
            kinds[verdict.kind] += 1
            if verdict.kind == "ok":
                looked[verdict.detail] += 1
            if verdict.kind == "ok" or verdict.kind.startswith(tuple(chosen.known.split(","))):
                continue
            print(f"{one.label}: {verdict.kind}", flush=True)
            failed += verdict.failed
            if not verdict.failed or kinds[verdict.kind] > _EACH:
                continue
            small: Drawn = one
            why = verdict
            if chosen.shrink and isinstance(one, Program) and chosen.family != "structs":
                small, why = shrink(one, verdict, judge, chosen.shrink)
            if chosen.shrink and isinstance(one, Composed):
                small, why = shrink(one, verdict, judge_composed, chosen.shrink)
            text = report(small, why)
            print(text, flush=True)
            if chosen.out:
                chosen.out.mkdir(parents=True, exist_ok=True)
                name = "".join(c if c.isalnum() else "_" for c in f"{verdict.kind}_{one.label}")
                (chosen.out / f"{name}.cu").write_text(text)
    print(f"{kinds.total()} kernels in {(time.monotonic() - began) / 60:.1f} minutes")
    for kind, many in kinds.most_common():
        print(f"{many:6} {kind}")
    for what, many in looked.most_common():
        print(f"{many:6} ok: {what}")
    return int(failed > 0)


def _judged(
    pool: ProcessPoolExecutor, labels: Iterator[str], end: float, jobs: int
) -> Iterator[tuple[Drawn, Verdict]]:
    """Verdicts in order; no batch is begun after the end."""
    running: deque[Future[list[tuple[Drawn, Verdict]]]] = deque()
    while True:
        while len(running) < jobs + 1 and time.monotonic() < end and (some := list(islice(labels, _AT_ONCE))):
            running.append(pool.submit(_compiled, some))
        if not running:
            return
        yield from running.popleft().result()


def made(label: str) -> Program:
    """The program of a label, which says its family."""
    return of_blocks(label) if label.startswith("blocks:") else of_threads(label.removeprefix("structs:"))


def _compiled(labels: list[str]) -> list[tuple[Drawn, Verdict]]:
    """A batch, of which nvcc compiles what is right too, if there is one."""
    found = _batch(labels)
    verdicts = nvidia.judged([verdict for _, verdict in found])
    return [(one, verdict) for (one, _), verdict in zip(found, verdicts, strict=True)]


def _batch(labels: list[str]) -> list[tuple[Drawn, Verdict]]:
    if labels[0].startswith(tuple(NEAR_MISSES)):
        return list(near_misses(labels))
    if labels[0].startswith("textbook"):
        composed = [drawn(label) for label in labels]
        return list(zip(composed, judge_composed(composed), strict=True))
    programs = [made(label) for label in labels]
    if labels[0].startswith("structs:"):
        programs = [replace(one, label=label) for one, label in zip(programs, labels, strict=True)]
        texts = [disguised(one, f"k{number}", one.label) for number, one in enumerate(programs)]
        return list(zip(programs, map(accepted, judge_texts(texts)), strict=True))
    return list(zip(programs, judge(programs), strict=True))


def judge_composed(composed: Sequence[Composed]) -> list[Verdict]:
    """One verdict for each kernel of the family of textbook algorithms."""
    names = [f"k{number}" for number in range(len(composed))]
    texts = [(one.text(name), one.case(name), one.asked) for one, name in zip(composed, names, strict=True)]
    return judge_texts(texts)


def near_misses(labels: list[str]) -> Iterator[tuple[Idiom, Verdict]]:
    """The kernels of a family of near misses, judged; what a slip made no kernel any more is no failure."""
    family = NEAR_MISSES[labels[0].partition(":")[0]]
    drawn = [family.program(label, f"k{number}") for number, label in enumerate(labels)]
    judged = judge_texts([(one.source, one.case(), one.request) for one in drawn])
    return zip(drawn, map(family.accepted, judged), strict=True)


def report(small: Drawn, why: Verdict) -> str:
    """A file that fails, and all that is needed to see it fail."""
    lines = [f"{why.kind} (seed {small.label}, {small.request})"]
    lines += why.detail.splitlines()
    head = "".join(f"// {line}\n" for line in lines)
    case = "".join(f"// {line}\n" for line in small.case().splitlines())
    return f"{head}\n{why.source}\n//--\n{case}"


if __name__ == "__main__":
    sys.exit(main())
