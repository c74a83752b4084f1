"""Compare registers and instructions of s2sad's adjoints with hand-written ones; no GPU needed.

    python benchmarks/static.py [KERNEL …]

Every kernel of comparisons.toml is transformed afresh, and compiled with its primal
and its hand-written adjoints. Goals relative to the first of these: registers at
most 1.1 times or 2 more; SASS instructions with run-time loops rolled at most 1.15
times; and no stack if the hand-written adjoint has none (beyond the
primal's own, since one `sinf` takes 32 bytes).
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from report import HERE, save, table
from sass import ARCH, Missing, Size, Sizes, Tools, sizes, tools

import s2sad

REGISTERS, MORE_REGISTERS, INSTRUCTIONS = 1.1, 2, 1.15


@dataclass(frozen=True)
class Compared:
    """One kernel: its primal, our and the hand-written adjoints, by name; or why ours is missing."""

    name: str
    primal: Sizes
    ours: Sizes | None
    hand: dict[str, Sizes]
    note: str

    @property
    def model(self) -> Sizes:
        return next(iter(self.hand.values()))

    def verdicts(self) -> dict[str, bool]:
        """Whether each goal is met."""
        if self.ours is None:
            return {"transformed": False}
        ours, model = self.ours.compiled, self.model.compiled
        most = max(REGISTERS * model.registers, model.registers + MORE_REGISTERS)
        return {
            "registers": ours.registers <= most,
            "instructions": self.ours.rolled.instructions <= INSTRUCTIONS * self.model.rolled.instructions,
            "stack": self._beyond(ours) <= 0 or self._beyond(model) > 0,
        }

    def _beyond(self, size: Size) -> int:
        return size.stack - self.primal.compiled.stack


def compare(tools: Tools, name: str, asked: dict[str, Any]) -> Compared:
    """Transform, compile and count one kernel."""
    path = HERE / asked.get("primal", f"hand/{name}.cu")
    primal = sizes(tools, path.read_text(), name)
    note = asked.get("note", "")
    ours = None
    try:
        made = s2sad.transform(path, of=asked["of"], wrt=asked["wrt"], assume=asked.get("assume", ()))
        ours = sizes(tools, made.source, made.kernel_name)
    except s2sad.Rejected as rejected:
        note = f"refused: {rejected.diagnostics[0].title}"
    except subprocess.CalledProcessError as failed:
        note = f"doesn't compile: {failed.stderr.splitlines()[0]}"
    hand = {
        file: sizes(tools, (HERE / f"hand/{file}.cu").read_text(), f"{name}_adj") for file in asked["hand"]
    }
    return Compared(name, primal, ours, hand, note)


def main(names: list[str]) -> int:
    try:
        found = tools()
    except Missing as missing:
        print(f"not measured: {missing}", file=sys.stderr)
        return 4
    asked = tomllib.loads((HERE / "comparisons.toml").read_text())
    if unknown := set(names) - set(asked):
        print(f"not in comparisons.toml: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 3
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda n: compare(found, n, asked[n]), names or asked))
    table(
        f"Static size, nvcc {found.version}, {ARCH}: registers / stack / SASS (rolled) / static atomics",
        ("kernel", "primal", "ours", "hand", "other", "SASS", "rolled", "registers", "verdict"),
        [_row(c) for c in done],
        [f"{c.name}: {c.note}" for c in done if c.note]
        + ["SASS, rolled, registers: ours / hand. 'other' is the hand-written form that isn't judged."],
    )
    met = sum(all(c.verdicts().values()) for c in done)
    print(f"{met} of {len(done)} within all three goals")
    if not names:
        save("static", {"nvcc": found.version, "arch": ARCH, "kernels": {c.name: _data(c) for c in done}})
    return 0 if met == len(done) else 1


def _row(c: Compared) -> tuple[str, ...]:
    hand = list(c.hand.values())
    missed = [goal for goal, met in c.verdicts().items() if not met]
    ratios = ("-", "-", "-")
    if c.ours is not None:
        ours, model = c.ours, c.model
        ratios = (
            f"{ours.compiled.instructions / model.compiled.instructions:.2f}",
            f"{ours.rolled.instructions / model.rolled.instructions:.2f}",
            f"{ours.compiled.registers / model.compiled.registers:.2f}",
        )
    return (
        c.name,
        _text(c.primal),
        _text(c.ours) if c.ours else "-",
        _text(hand[0]),
        _text(hand[1]) if len(hand) > 1 else "",
        *ratios,
        f"miss: {', '.join(missed)}" if missed else "pass",
    )


def _text(s: Sizes) -> str:
    c = s.compiled
    return f"{c.registers} / {c.stack} / {c.instructions} ({s.rolled.instructions}) / {s.rolled.atomics}"


def _data(c: Compared) -> dict[str, object]:
    return {
        "primal": asdict(c.primal),
        "ours": asdict(c.ours) if c.ours else None,
        "hand": {name: asdict(size) for name, size in c.hand.items()},
        "met": c.verdicts(),
        "note": c.note,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
