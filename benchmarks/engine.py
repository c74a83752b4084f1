"""What watching a kernel costs on the CPU: nanoseconds for each access, beside the same launch unwatched.

    python benchmarks/engine.py [--runs N]

A watched launch checks every access to an array or to shared memory for races and
out-of-bounds indices (run/cpu/watch). The cost of an access is the processor
time of the watched launch less that of the plain one, divided by the number of
accesses. The best of several runs counts, because the machine may be busy.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from report import save, table

RUNS = 5
GOAL = 20.0  # nanoseconds


@dataclass(frozen=True)
class Job:
    """A kernel of (const float *x, float *y, int n), and its number of elements.

    `constant`: whether x is const; if it isn't, every read of it is recorded.
    """

    name: str
    body: str
    elements: int
    threads: int = 256
    judged: bool = True
    constant: bool = True


_GATHER = (
    "if (i < n) { float s = 0;"
    " for (long long k = 0; k < 16; ++k) s += x[(i * 40503ll + k * k * 7919) % n]; y[i] = s; }"
)

# The record of an element takes 32 bytes. If these don't fit into the cache and indices are irregular,
# accesses wait for memory; cases are small, so that row is shown and not judged.
JOBS = (
    Job("saxpy", "if (i < n) y[i] += 2 * x[i];", 1 << 20),
    Job(
        "stencil, 32 times",
        "if (i > 0 && i < n - 1) for (int k = 0; k < 32; ++k) { y[i] += x[i - 1] + x[i] + x[i + 1]; }",
        1 << 17,
    ),
    Job("gather", _GATHER, 1 << 14),
    Job("gather, not const", _GATHER, 1 << 14, constant=False),
    Job("gather, not const, beyond the cache", _GATHER, 1 << 18, judged=False, constant=False),
    Job("atomics on 8 elements", "if (i < n) for (int k = 0; k < 8; ++k) atomicAdd(&y[k], x[i]);", 1 << 17),
    Job(
        "tree reduction",
        "__shared__ float s[256]; s[threadIdx.x] = x[i]; __syncthreads();"
        " for (int d = 128; d; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];"
        " __syncthreads(); } if (threadIdx.x == 0) y[blockIdx.x] = s[0];",
        1 << 18,
    ),
    Job(
        "tile in shared memory",
        "__shared__ float s[256]; s[threadIdx.x] = x[i]; __syncthreads(); float t = 0;"
        " for (int k = 0; k < 64; ++k) t += s[(threadIdx.x + k) % 256]; y[i] = t;",
        1 << 16,
    ),
)


def best(work: Callable[[], object], runs: int) -> float:
    """Return the least processor time of several calls."""
    found = []
    for _ in range(runs):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def measured(job: Job, runs: int) -> dict[str, object]:
    """Measure times and counts of one job."""
    import numpy as np

    from s2sad.run.cpu import CpuBackend
    from s2sad.signature import Argument, Signature

    text = (
        f'extern "C" __global__ void job({"const " if job.constant else ""}float *x, float *y, int n)\n'
        f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; {job.body} }}\n"
    )
    parameters = (
        Argument("x", "float", True, const=job.constant),
        Argument("y", "float", True, written=True),
        Argument("n", "int", False),
    )
    kernel = Signature("job", parameters)
    backend = CpuBackend()
    start = time.perf_counter()
    watched = backend.watch(text, [kernel], name="job.cu")
    compiling = time.perf_counter() - start
    plain = backend.compile(text, [kernel], name="job.cu")
    x, y = np.ones(job.elements, np.float32), np.zeros(job.elements, np.float32)
    args = {"x": x, "y": y, "n": job.elements}
    launch = kernel, (job.elements // job.threads, 1, 1), (job.threads, 1, 1), args
    found = watched.inspect(*launch)
    if not found.ok:
        raise SystemExit(f"{job.name}: {found.faults[0].text()}")
    slow = best(lambda: watched.inspect(*launch), runs)
    fast = best(lambda: plain.launch(*launch), runs)
    return {
        "job": job.name,
        "accesses": found.accesses,
        "plain_ms": round(1e3 * fast, 2),
        "watched_ms": round(1e3 * slow, 2),
        "ns_per_access": round(1e9 * (slow - fast) / found.accesses, 1),
        "judged": job.judged,
        "compile_s": round(compiling, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="how many runs the best is taken of")
    runs = parser.parse_args().runs
    rows = [measured(job, runs) for job in JOBS]
    said = {True: "", False: " not judged"}
    missed = [row for row in rows if row["judged"] and float(str(row["ns_per_access"])) > GOAL]
    columns = ("job", "accesses", "plain ms", "watched ms", f"ns per access (goal {GOAL:g})")
    keys = ("job", "accesses", "plain_ms", "watched_ms", "ns_per_access")
    table(
        "Watched launches",
        columns,
        [
            [
                *(str(row[key]) for key in keys[:-1]),
                f"{row['ns_per_access']}{' miss' if row in missed else said[bool(row['judged'])]}",
            ]
            for row in rows
        ],
    )
    save("engine", {"goal_ns": GOAL, "within": not missed, "jobs": rows})
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
