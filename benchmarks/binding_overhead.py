"""What a call through an operator of PyTorch costs: microseconds of a gradient, beside the CPU engine alone.

    python benchmarks/binding_overhead.py [--runs N]

It needs PyTorch. A gradient through the operators of examples/bindings checks the arguments, goes through
PyTorch's dispatcher and autograd, allocates, and launches the kernel and its adjoint. Beside it are the same
allocations and launches without operator and autograd, in turns with it. Arrays are small, so that kernels
take little. What counts is the processor time, the best of several runs, because the machine may be busy.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from report import save, table

FOLDER = Path(__file__).parents[1] / "examples" / "bindings"
GOAL = 50.0  # microseconds
RUNS = 30
CALLS = 200


def least(calls: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """Return the least time of each of these calls, in microseconds of this process."""
    best = [float("inf")] * len(calls)
    for _ in range(runs):
        for k, call in enumerate(calls):
            start = time.process_time()
            for _ in range(CALLS):
                call()
            best[k] = min(best[k], (time.process_time() - start) / CALLS)
    return [1e6 * each for each in best]


def bias_gelu(torch: Any) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return a gradient through the operator in joint mode, and the same launches."""
    from bias_gelu_torch import bias_gelu, engines

    x, bias, seed = torch.randn(24, 12), torch.randn(12), torch.ones(24, 12)
    inputs = x.clone().requires_grad_(), bias.clone().requires_grad_()
    engine, shape = engines.of(x.device, x.dtype), ((2, 1, 1), (256, 1, 1), 0)

    def directly() -> None:
        y, adj_x, adj_bias = torch.zeros(24, 12), torch.zeros(24, 12), torch.zeros(12)
        engine.launch("bias_gelu", *shape, x, bias, y, 288, 12)
        engine.launch("bias_gelu_adj", *shape, x, adj_x, bias, adj_bias, None, seed, 288, 12)

    return lambda: torch.autograd.grad(bias_gelu(*inputs), inputs, seed), directly


def histogram(torch: Any) -> tuple[Callable[[], object], Callable[[], object]]:
    """The same of a kernel with numbers among its arguments."""
    from histogram_torch import engines, histogram

    x, weight, seed = torch.rand(200), torch.rand(200), torch.ones(8)
    inputs = x.clone().requires_grad_(), weight.clone().requires_grad_()
    engine, shape = engines.of(x.device, x.dtype), ((1, 1, 1), (256, 1, 1), 0)
    numbers = 200, 8, 0.0, 0.125

    def directly() -> None:
        hist, adj_x, adj_weight = torch.zeros(8), torch.zeros(200), torch.zeros(200)
        engine.launch("histogram", *shape, x, weight, hist, *numbers)
        engine.launch("histogram_adj", *shape, x, adj_x, weight, adj_weight, None, seed, *numbers)

    return lambda: torch.autograd.grad(histogram(*inputs, *numbers[1:]), inputs, seed), directly


def relax(torch: Any) -> tuple[Callable[[], object], Callable[[], object]]:
    """The same of a kernel with a tape, in split mode."""
    from relax_torch import engines, relax

    u, w, seed = torch.randn(100), torch.rand(100), torch.ones(100)
    inputs = u.clone().requires_grad_(), w.clone().requires_grad_()
    engine, shape = engines.of(u.device, u.dtype), ((1, 1, 1), (128, 1, 1), 0)

    def directly() -> None:
        after, adj_u, adj_w = u.clone(), seed.clone(), torch.zeros(100)
        tape = engine.tape("relax_adj", *shape[:2], u.device, 100, 2)
        engine.launch("relax_fwd", *shape, after, w, 100, 2, tape)
        engine.launch("relax_adj", *shape, None, adj_u, w, adj_w, 100, 2, tape)

    return lambda: torch.autograd.grad(relax(*inputs, 2), inputs, seed), directly


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="how many runs the best is taken of")
    runs = parser.parse_args().runs
    import torch

    sys.path.insert(0, str(FOLDER))
    torch.set_num_threads(1)
    rows = []
    for prepared in (bias_gelu, histogram, relax):
        through, alone = least(prepared(torch), runs)
        rows.append(
            {
                "kernel": prepared.__name__,
                "operator_us": round(through, 1),
                "engine_us": round(alone, 1),
                "overhead_us": round(through - alone, 1),
            }
        )
    within = all(row["overhead_us"] <= GOAL for row in rows)
    table(
        "A gradient through an operator of PyTorch",
        ("kernel", "operator µs", "engine µs", f"overhead µs (goal {GOAL:g})"),
        [[str(value) for value in row.values()] for row in rows],
    )
    save("binding_overhead", {"torch": torch.__version__, "goal_us": GOAL, "within": within, "kernels": rows})
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
