"""Runs random kernels for a time and prints what fails, made small."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from .batch import Verdict, judge
from .generate import program
from .shrink import shrink
from .tree import Program

_AT_ONCE = 32
# of one class, so many are shrunk
_EACH = 12


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--count", type=int, default=1 << 30, help="at most so many kernels")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds for one failure")
    parser.add_argument("--out", type=Path, default=None, help="a folder for failing kernels")
    parser.add_argument(
        "--known", default="-", help="classes of failure that are only counted, comma-separated"
    )
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}")
    end = time.monotonic() + 60 * chosen.minutes
    kinds: Counter[str] = Counter()
    number = chosen.first
    while time.monotonic() < end and number - chosen.first < chosen.count:
        labels = [f"{chosen.seed}:{number + k}" for k in range(min(_AT_ONCE, chosen.count))]
        number += len(labels)
        programs = [program(label) for label in labels]
        for made, verdict in zip(programs, judge(programs), strict=True):
            kinds[verdict.kind] += 1
            if verdict.kind == "ok" or verdict.kind.startswith(tuple(chosen.known.split(","))):
                continue
            print(f"{made.label}: {verdict.kind}", flush=True)
            if not verdict.failed or kinds[verdict.kind] > _EACH:
                continue
            small, why = shrink(made, verdict, chosen.shrink)
            text = report(small, why)
            print(text, flush=True)
            if chosen.out:
                name = "".join(c if c.isalnum() else "_" for c in f"{verdict.kind}_{made.label}")
                (chosen.out / f"{name}.cu").write_text(text)
    print(number - chosen.first, "kernels")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")


def report(small: Program, why: Verdict) -> str:
    """A file that fails, and all that is needed to see it fail."""
    lines = [f"{why.kind} (seed {small.label}, {small.request})"]
    lines += why.detail.splitlines()
    head = "".join(f"// {line}\n" for line in lines)
    case = "".join(f"// {line}\n" for line in small.case().splitlines())
    return f"{head}\n{why.source}\n//--\n{case}"


main()
