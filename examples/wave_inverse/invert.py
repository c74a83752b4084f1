"""Find where a plate is slow, from waves that were sent through it.

Three sources each send a wave through the plate, and receivers along its edges hear it. One shot is
1,000 steps in time: the chain in shot.toml. Its gradient with respect to the squared speed of every
cell comes from going back over these steps; of their states at most 20 are kept at a time, and 2,750
steps are run instead of 1,000.

    python invert.py                 a minute; writes speed.pgm: truth, and what was found
    python invert.py --help
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import s2sad

Array = NDArray[np.float64]

SHOT = s2sad.Chain.from_toml(Path(__file__).with_name("shot.toml"))
SIZE = 32
SOURCES = ((4, 6), (4, 25), (16, 4))
PLAIN = 0.02  # (c dt / dx)^2 of the plate without the inclusion


def ricker(steps: int, period: float) -> Array:
    """A short pulse, which takes about two periods."""
    x = np.pi * (np.arange(steps) / period - 1.5)
    return (1.0 - 2.0 * x**2) * np.exp(-(x**2))


def receivers() -> NDArray[np.int32]:
    """Every second cell along the right and the lower edge."""
    along = range(2, SIZE - 2, 2)
    return np.array([(SIZE - 3) * SIZE + i for i in along] + [i * SIZE + SIZE - 3 for i in along], np.int32)


def arguments(source: tuple[int, int], s: Array, steps: int) -> dict[str, object]:
    heard = receivers()
    return {
        "s": s,
        "source": source[0] * SIZE + source[1],
        "steps": steps,
        "wavelet": ricker(steps, 90.0),
        "receivers": heard,
        "count": len(heard),
        "trace": np.zeros((steps, len(heard))),
    }


def plate() -> Array:
    """The true plate: a slow disc."""
    row, column = np.mgrid[0:SIZE, 0:SIZE]
    return np.where((row - 18) ** 2 + (column - 17) ** 2 < 25, 0.85 * PLAIN, PLAIN)


class Misfit:
    """Half the squared difference of what is heard from what was heard, over all shots."""

    def __init__(self, truth: Array, steps: int) -> None:
        self.steps = steps
        self.heard = [SHOT.run(arguments(source, truth, steps))["trace"] for source in SOURCES]

    def __call__(self, s: Array) -> tuple[float, Array]:
        value, slope = 0.0, np.zeros_like(s)
        for source, heard in zip(SOURCES, self.heard, strict=True):
            shot = SHOT.gradient(
                arguments(source, s, self.steps),
                seeds=lambda outputs, heard=heard: {"trace": outputs["trace"] - heard},
            )
            value += 0.5 * float(np.sum((shot.outputs["trace"] - heard) ** 2))
            slope += shot.gradients["s"]
        return value, slope


def invert(misfit: Misfit, iterations: int, report: bool = False) -> tuple[Array, list[float]]:
    """Descend with steps whose length the last two slopes suggest (Barzilai and Borwein)."""
    s = np.full((SIZE, SIZE), PLAIN)
    value, slope = misfit(s)
    values = [value]
    length = 0.02 * PLAIN / float(np.max(np.abs(slope)))
    for iteration in range(iterations):
        tried = np.clip(s - length * slope, 0.5 * PLAIN, 1.5 * PLAIN)
        value, there = misfit(tried)
        moved, turned = tried - s, there - slope
        if value < 1.5 * min(values):
            s, slope = tried, there
            values.append(value)
            curved = float(np.vdot(moved, turned))
            length = float(np.vdot(moved, moved)) / curved if curved > 0 else 2.0 * length
        else:
            length *= 0.25
        if report and iteration % 5 == 0:
            print(f"iteration {iteration:3}   misfit {values[-1]:.3e}")
    return s, values


def picture(truth: Array, found: Array, path: Path) -> None:
    """Write truth and result beside each other; dark is slow."""
    both = np.hstack([truth, np.full((SIZE, 1), 1.1 * PLAIN), found])
    grey = np.clip((both / PLAIN - 0.8) / 0.3 * 255.0, 0, 255).astype(np.uint8)
    grey = np.kron(grey, np.ones((8, 8), np.uint8))
    path.write_bytes(b"P5 %d %d 255\n" % (grey.shape[1], grey.shape[0]) + grey.tobytes())


def main() -> None:
    options = argparse.ArgumentParser(description="Find where a plate is slow, from waves sent through it.")
    options.add_argument("--steps", type=int, default=1000, help="steps in time of a shot")
    options.add_argument("--iterations", type=int, default=30)
    options.add_argument("--output", default="speed.pgm", help="name of the picture")
    given = options.parse_args()
    truth = plate()
    found, values = invert(Misfit(truth, given.steps), given.iterations, report=True)
    before, after = (float(np.sqrt(np.mean((s - truth) ** 2))) / PLAIN for s in (PLAIN, found))
    picture(truth, found, Path(given.output))
    print(f"misfit {values[0]:.3e} -> {values[-1]:.3e}; error of s {before:.2%} -> {after:.2%}")


if __name__ == "__main__":
    main()
