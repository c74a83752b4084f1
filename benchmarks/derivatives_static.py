"""How large are compiled tangents and second-order kernels? No GPU needed.

    python benchmarks/derivatives_static.py [KERNEL …]

Every kernel of comparisons.toml, whose adjoints static.py compares with hand-written ones: registers, stack
and SASS instructions of the primal, of its tangent, of its adjoint and of the adjoint's tangent; and of both
tangents along four directions at once. Each is transformed afresh. No goals: the table is for comparing.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from report import HERE, save, table
from sass import ARCH, Missing, Sizes, Tools, sizes, tools

import s2sad

DIRECTIONS = 4
MADE: Mapping[str, Mapping[str, Any]] = {
    "tangent": {"mode": "tangent"},
    f"tangent, {DIRECTIONS}": {"mode": "tangent", "directions": DIRECTIONS},
    "adjoint": {},
    "second": {"mode": "second-order"},
    f"second, {DIRECTIONS}": {"mode": "second-order", "directions": DIRECTIONS},
}


@dataclass(frozen=True)
class Kernel:
    """The sizes of what is made from one kernel, by name; or why it isn't made."""

    name: str
    primal: Sizes
    made: Mapping[str, Sizes]
    missing: Mapping[str, str]

    def ratio(self, what: str, to: str) -> float | None:
        """The instructions of one text relative to another's, with run-time loops rolled."""
        known = {"primal": self.primal, **self.made}
        if what not in known or to not in known:
            return None
        return known[what].rolled.instructions / known[to].rolled.instructions


def measured(tools: Tools, name: str, asked: Mapping[str, Any]) -> Kernel:
    """Transform, compile and count one kernel."""
    path = HERE / asked.get("primal", f"hand/{name}.cu")
    made: dict[str, Sizes] = {}
    missing: dict[str, str] = {}
    for what, how in MADE.items():
        request = {"of": asked["of"], "wrt": asked["wrt"], **how}
        if how.get("mode") != "tangent":
            request["assume"] = asked.get("assume", ())
        try:
            done = s2sad.transform(path, **request)
            made[what] = sizes(tools, done.source, done.kernel_name)
        except s2sad.Rejected as rejected:
            missing[what] = f"refused: {rejected.diagnostics[0].title}"
        except subprocess.CalledProcessError as failed:
            missing[what] = f"doesn't compile: {failed.stderr.splitlines()[0]}"
    return Kernel(name, sizes(tools, path.read_text(), name), made, missing)


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
        done = list(pool.map(lambda n: measured(found, n, asked[n]), names or asked))
    table(
        f"Static size, nvcc {found.version}, {ARCH}: registers / stack / SASS (rolled)",
        ("kernel", "primal", *MADE, "tangent", "second"),
        [_row(kernel) for kernel in done],
        [f"{k.name}, {what}: {why}" for k in done for what, why in k.missing.items()]
        + ["Last columns: rolled SASS of the tangent / the primal, and of second order / the adjoint."],
    )
    medians = {what: _median(done, what, to) for what, to in (("tangent", "primal"), ("second", "adjoint"))}
    print("medians: " + ", ".join(f"{what} {value:.2f}" for what, value in medians.items()))
    if not names:
        data = {k.name: _data(k) for k in done}
        save("derivatives_static", {"nvcc": found.version, "arch": ARCH, "medians": medians, "kernels": data})
    return 0


def _median(done: list[Kernel], what: str, to: str) -> float:
    return statistics.median(ratio for k in done if (ratio := k.ratio(what, to)) is not None)


def _row(kernel: Kernel) -> tuple[str, ...]:
    ratios = kernel.ratio("tangent", "primal"), kernel.ratio("second", "adjoint")
    return (
        kernel.name,
        _text(kernel.primal),
        *(_text(kernel.made[what]) if what in kernel.made else "-" for what in MADE),
        *("-" if ratio is None else f"{ratio:.2f}" for ratio in ratios),
    )


def _text(s: Sizes) -> str:
    return (
        f"{s.compiled.registers} / {s.compiled.stack} / {s.compiled.instructions} ({s.rolled.instructions})"
    )


def _data(kernel: Kernel) -> dict[str, object]:
    return {
        "primal": asdict(kernel.primal),
        **{what: asdict(size) for what, size in kernel.made.items()},
        "missing": dict(kernel.missing),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
