"""How long s2sad takes: to start, on a small kernel, and as kernels grow.

    python benchmarks/transform.py [--runs N]

Every figure is the best of five runs of the command, each in a separate process and
with compiled bytecode; if a run takes too long, no further ones follow. The wall-clock time
is judged. If the machine is so loaded that this is more than 1.5 times
the processor time, the latter is judged: on a shared machine, the best of five runs says
nothing else. Both are in the table.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from generated import SHAPES
from report import HERE, ROOT, save, table

RUNS = 5
SIZES = (500, 1000, 2000)
VERSION, SMALL, LARGE, GROWTH = 0.3, 1.0, 10.0, 5.0  # seconds, and the growth factor for 4 times the size
LOADED = 1.5


@dataclass(frozen=True)
class Time:
    """Seconds of the best runs, and the largest memory of a run."""

    clock: float
    processor: float
    megabytes: int

    @property
    def judged(self) -> float:
        return self.processor if self.clock > LOADED * self.processor else self.clock


def best(words: Sequence[str], runs: int) -> Time:
    """Return the best of several runs of s2sad with these arguments."""
    clocks, processors, peaks = [], [], []
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONPYCACHEPREFIX=_BYTECODE.name)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for _ in range(runs):
        start = time.perf_counter()
        command = [sys.executable, "-m", "s2sad", *words]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        clocks.append(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"s2sad {' '.join(words)} ended with {process.returncode}")
        processors.append(used.ru_utime + used.ru_stime)
        peaks.append(used.ru_maxrss / 1024)
        if processors[-1] > LARGE:
            break  # a miss for any number of runs
    return Time(round(min(clocks), 3), round(min(processors), 3), round(max(peaks)))


_BYTECODE = tempfile.TemporaryDirectory(prefix="s2sad-bytecode-")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="how many runs the best is taken of")
    runs = parser.parse_args().runs
    saxpy = str(HERE / "hand" / "saxpy.cu")
    small = ["transform", saxpy, "--of", "y", "--wrt", "a,x,y"]
    best(small, 1)  # fills the bytecode
    measured = {"--version": best(["--version"], runs), "saxpy": best(small, runs)}
    goals = {"--version": VERSION, "saxpy": SMALL}
    growth: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for shape, kernel in SHAPES.items():
            for count in SIZES:
                path = Path(folder) / f"{shape}{count}.cu"
                path.write_text(kernel(count))
                name = f"{shape} {count}"
                measured[name] = best(["transform", str(path), "--of", "y", "--wrt", "x,w"], runs)
                if count == SIZES[-1]:
                    goals[name] = LARGE
            growth[shape] = measured[f"{shape} {SIZES[-1]}"].judged / measured[f"{shape} {SIZES[0]}"].judged
    met = {name: measured[name].judged <= goal for name, goal in goals.items()}
    met |= {f"{shape}, growth": ratio <= GROWTH for shape, ratio in growth.items()}
    rows = [
        (
            name,
            f"{t.clock:.2f}",
            f"{t.processor:.2f}",
            str(t.megabytes),
            f"{goals[name]:g}" if name in goals else "",
            "" if name not in goals else "pass" if met[name] else "miss",
        )
        for name, t in measured.items()
    ]
    rows += [
        (
            f"{shape} {SIZES[-1]} / {SIZES[0]}",
            f"{r:.2f}",
            "",
            "",
            f"{GROWTH:g}",
            "pass" if r <= GROWTH else "miss",
        )
        for shape, r in growth.items()
    ]
    loaded = any(t.clock > LOADED * t.processor for t in measured.values())
    table(
        f"Time of the command, best of {runs}, in seconds",
        ("what", "clock", "processor", "MB", "goal", "verdict"),
        rows,
        ["The machine is loaded: processor time is judged where the clock says more."] if loaded else [],
    )
    save(
        "transform",
        {
            "runs": runs,
            "seconds": {name: asdict(t) for name, t in measured.items()},
            "growth": {shape: round(r, 2) for shape, r in growth.items()},
            "met": met,
        },
    )
    return 0 if all(met.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
