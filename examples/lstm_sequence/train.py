"""Train an LSTM to remember: the answer is the sign of the first input, twelve steps ago.

The kernels are in lstm_step.cu and readout.cu, the loop over time is the chain in sequence.toml; this is
the training, Adam in five lines.

    python train.py                  ten seconds
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import s2sad

Array = NDArray[np.float32]

CHAIN = s2sad.Chain.from_toml(Path(__file__).with_name("sequence.toml"))


def sequences(steps: int, batch: int, seed: int) -> tuple[Array, Array]:
    """Inputs, and the sign of the first input of each sequence; the second input marks the beginning."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1.0, 1.0, (steps, batch, 2)).astype(np.float32)
    x[:, :, 1] = 0.0
    x[0, :, 1] = 1.0
    return x, np.sign(x[0, :, 0])


def train(iterations: int, steps: int = 12, batch: int = 8, rate: float = 0.02) -> Iterator[float]:
    """Yield the loss before each update."""
    start = CHAIN.values({"steps": steps, "batch": batch})
    learned = {name: np.array(start[name], np.float32) for name in CHAIN.wrt}
    mean = {name: np.zeros_like(value) for name, value in learned.items()}
    square = {name: np.zeros_like(value) for name, value in learned.items()}
    for iteration in range(1, iterations + 1):
        x, answers = sequences(steps, batch, iteration)
        found = CHAIN.gradient(
            {**learned, "x": x, "steps": steps, "batch": batch},
            seeds=lambda outputs, answers=answers: {"y": (outputs["y"] - answers) / batch},
        )
        for name, slope in found.gradients.items():
            mean[name] = 0.9 * mean[name] + 0.1 * slope
            square[name] = 0.99 * square[name] + 0.01 * slope**2
            corrected = mean[name] / (1 - 0.9**iteration)
            learned[name] -= rate * corrected / (np.sqrt(square[name] / (1 - 0.99**iteration)) + 1e-6)
        yield 0.5 * float(np.mean((found.outputs["y"] - answers) ** 2))


def main() -> None:
    options = argparse.ArgumentParser(description="Train an LSTM to remember the sign of its first input.")
    options.add_argument("--iterations", type=int, default=400)
    given = options.parse_args()
    losses = list(train(given.iterations, batch=32))
    for at in range(0, len(losses), 50):
        print(f"iteration {at:4}   loss {np.mean(losses[at : at + 50]):.3f}")


if __name__ == "__main__":
    main()
