"""The tests of the tests: faults seeded one at a time, and the check that catches each.

    python benchmarks/mutants.py [NAME …] [--jobs N] [--keep FOLDER]

`mutants_transformer.toml` has faults of the transformer: an exact text of one file of
s2sad/ and its replacement. The text must occur there exactly once, so a
mutant that a refactoring has made meaningless is an error and never counts as caught.
`mutants_emitted.toml` has faults of emitted files in the same form. Each mutant is
a copy of the checkout, judged in a separate process (`mutants_judge.py`), so that
mutants can't affect each other.

The kernels that a mutant names are judged first, then a test that it names, the kernels
that were wrong once, every golden kernel whose adjoint it changes, and random
ones. A changed golden text doesn't count: it is easily rewritten. A mutant
that nothing catches must be explained as equivalent, or it is a miss.

As a control the same kernels are judged without any fault: nothing may be caught.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from report import HERE, ROOT, save, table

JUDGE = HERE / "mutants_judge.py"
GOLDEN = ROOT / "tests" / "golden"
KINDS = ("transformer", "emitted")
LEAST = {"transformer": 40, "emitted": 20}
SECONDS = 900
_COPIED = ("s2sad", "tests", "templates", "examples", "pyproject.toml", "README.md")


class Stale(Exception):
    """A mutant's text doesn't occur exactly once where it should."""


@dataclass(frozen=True)
class Mutant:
    """One fault. `rule` is the rule that it breaks; `old` becomes `new` in `file`.

    file    below s2sad/; for an emitted fault the golden kernel and, after a blank, the shape
    within  the line that starts the block in which `old` occurs once; empty: the whole file
    kernels golden kernels that should show it, most likely first
    test    a pytest expression, `tests/test_x.py -k words`, tried when those don't
    equivalent  why no check can tell it from the original, if none can
    """

    kind: str
    name: str
    rule: str
    file: str
    old: str
    new: str
    within: str = ""
    kernels: tuple[str, ...] = ()
    test: str = ""
    equivalent: str = ""

    @property
    def path(self) -> Path:
        """The file with `old`: a file of s2sad/, or the golden adjoint, which tests keep up to date."""
        if self.kind == "transformer":
            return ROOT / "s2sad" / self.file
        kernel, *shape = self.file.split()
        return GOLDEN / f"{kernel}_{shape[0] if shape else 'adj'}.cu"

    def applied(self, text: str) -> str:
        """Return the text with the fault. Raises Stale."""
        start, end = 0, len(text)
        if self.within:
            start, end = block(text, self.within, self.name)
        found = text.count(self.old, start, end)
        if found != 1 or self.old == self.new:
            raise Stale(f"{self.name}: its text stands {found} times in {self.file}")
        return text[:start] + text[start:end].replace(self.old, self.new) + text[end:]


@dataclass(frozen=True)
class Outcome:
    """The result for a mutant: the checks that caught it, the kernel, and the time."""

    caught: tuple[str, ...]
    kernel: str
    detail: str
    changed: int  # judged kernels whose emitted text differs
    seconds: float


def block(text: str, head: str, name: str) -> tuple[int, int]:
    """Return the range of the lines of a block: up to the next line indented no further than its head."""
    lines = text.splitlines(keepends=True)
    at = [k for k, line in enumerate(lines) if line.strip().startswith(head)]
    if len(at) != 1:
        raise Stale(f"{name}: {head!r} starts {len(at)} lines")
    end = at[0] + 1
    while end < len(lines) and _inside(lines[end], lines[at[0]]):
        end += 1
    start = sum(map(len, lines[: at[0]]))
    return start, start + sum(map(len, lines[at[0] : end]))


def _inside(line: str, head: str) -> bool:
    """Whether a line belongs to a block: up to the next table in TOML, else by indentation."""
    if head.startswith("["):
        return not line.startswith("[")
    margin = len(head) - len(head.lstrip())
    return not line.strip() or len(line) - len(line.lstrip()) > margin or line.lstrip()[0] in ")}]"


def read() -> list[Mutant]:
    """Read all mutants, those of the transformer first."""
    found = []
    for kind in KINDS:
        entries = tomllib.loads((HERE / f"mutants_{kind}.toml").read_text(encoding="utf-8"))
        for name, entry in entries.items():
            entry["kernels"] = tuple(entry.get("kernels", ()))
            found.append(Mutant(kind, name, **entry))
    return found


def kernels_of(mutants: Iterable[Mutant]) -> list[str]:
    """Return the golden kernels that mutants name."""
    return sorted({kernel for mutant in mutants for kernel in mutant.kernels})


def stale(mutants: Iterable[Mutant]) -> list[str]:
    """Return errors for mutants whose text doesn't occur exactly once in its file, or isn't valid Python."""
    found = []
    for mutant in mutants:
        try:
            text = mutant.applied(mutant.path.read_text(encoding="utf-8"))
            if mutant.path.suffix == ".py":
                compile(text, mutant.name, "exec")
        except (Stale, SyntaxError) as error:
            found.append(str(error))
    return found


# ---- judging -----------------------------------------------------------------------


class Bench:
    """A copy of the current checkout, and mutants of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plain = self.tree("plain", None)
        files = [self.plain / "s2sad", self.plain / "tests"]
        subprocess.run([sys.executable, "-m", "compileall", "-q", *map(str, files)], check=True)

    def tree(self, name: str, mutant: Mutant | None) -> Path:
        """Make a copy with the fault. Raises Stale."""
        tree = self.folder / re.sub(r"\W", "_", name)
        tree.mkdir(parents=True)
        for part in _COPIED:
            if mutant is not None and part != "s2sad":
                (tree / part).symlink_to(self.plain / part)
            elif (ROOT / part).is_dir():
                left = shutil.ignore_patterns(".*", *(["__pycache__"] if mutant is None else []))
                shutil.copytree((ROOT if mutant is None else self.plain) / part, tree / part, ignore=left)
            else:
                shutil.copy2(ROOT / part, tree / part)
        if mutant is not None:
            path = tree / "s2sad" / mutant.file
            path.write_text(mutant.applied(path.read_text(encoding="utf-8")), encoding="utf-8")
            for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
                compiled.unlink()
        return tree

    def judge(self, mutant: Mutant, random: int, *, named: bool = False, keep: bool = False) -> Outcome:
        """Judge a mutant; `named`: only by the kernels and the test that it names. Raises Stale."""
        start = time.monotonic()
        seeded = mutant if mutant.kind == "transformer" else None
        tree = self.tree(mutant.name, seeded) if seeded else self.plain
        baseline = str(self.folder / "baseline.json")
        order = {**asdict(mutant), "random": random, "only named": named, "baseline": baseline}
        found = self.ask(tree, order)
        if seeded and not keep:
            shutil.rmtree(tree)
        if "stale" in found:
            raise Stale(str(found["stale"]))
        return Outcome(
            tuple(found["caught"]),
            found["kernel"],
            found["detail"],
            found["changed"],
            round(time.monotonic() - start, 1),
        )

    def ask(self, tree: Path, order: dict[str, object]) -> dict[str, Any]:
        """Return the judge's answer, from a process that imports the tree's s2sad."""
        environment = os.environ | {
            "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'tests'}",
            "PYTHONHASHSEED": "0",
        }
        try:
            done = subprocess.run(
                [sys.executable, str(JUDGE), str(tree)],
                input=json.dumps(order),
                capture_output=True,
                text=True,
                env=environment,
                cwd=tree,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"caught": ["it hangs"], "kernel": "", "detail": "", "changed": 0}
        if done.returncode != 0:
            raise SystemExit(f"{order.get('name', 'baseline')}: the judge failed\n{done.stderr}")
        answer = json.loads(done.stdout.splitlines()[-1])
        assert isinstance(answer, dict)
        return answer

    def baseline(self, kernels: Sequence[str], random: int) -> None:
        """Record the adjoints without a fault, to detect changes by a mutant; all kernels by default."""
        texts = self.ask(self.plain, {"baseline of": list(kernels), "random": random})
        (self.folder / "baseline.json").write_text(json.dumps(texts), encoding="utf-8")

    def control(self, kernels: Iterable[str]) -> list[str]:
        """Return the checks that fail although there is no fault."""
        wanted = sorted({kernel for kernel in kernels if kernel})
        return list(self.ask(self.plain, {"control of": wanted})["caught"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", help="only these (a part of the name is enough)")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    parser.add_argument("--random", type=int, default=128, help="random kernels to try at last")
    parser.add_argument("--named", action="store_true", help="try only the kernels that mutants name")
    parser.add_argument("--keep", type=Path, help="work in this folder, and leave the mutants there")
    chosen = parser.parse_args()
    mutants = read()
    if wrong := stale(mutants):
        print("\n".join(wrong))
        return 1
    some = [m for m in mutants if not chosen.names or any(part in m.name for part in chosen.names)]
    with tempfile.TemporaryDirectory(prefix="s2sad-mutants-") as name:
        bench = Bench(chosen.keep or Path(name))
        if any(m.kind == "transformer" for m in some):
            bench.baseline(kernels_of(some) if chosen.named else [], 0 if chosen.named else chosen.random)
        outcomes: dict[str, Outcome] = {}

        def judged(mutant: Mutant) -> None:
            kept = chosen.keep is not None
            outcomes[mutant.name] = bench.judge(mutant, chosen.random, named=chosen.named, keep=kept)
            found = outcomes[mutant.name]
            print(f"{mutant.name}: {verdict(mutant, found)} {found.kernel} {found.seconds} s", flush=True)

        with ThreadPoolExecutor(chosen.jobs) as pool:
            list(pool.map(judged, some))
        wrong = bench.control(found.kernel for found in outcomes.values())
    missed = [m.name for m in some if not outcomes[m.name].caught and not m.equivalent]
    missed += [
        f"{m.name} is said to be equivalent, but caught"
        for m in some
        if outcomes[m.name].caught and m.equivalent
    ]
    for kind in KINDS:
        shown(kind, [m for m in some if m.kind == kind], outcomes)
    if not chosen.names and not chosen.named:
        written(mutants, outcomes, missed, wrong)
    for text in (*missed, *(f"without a fault: {w}" for w in wrong)):
        print(f"miss: {text}")
    return 1 if missed or wrong else 0


def verdict(mutant: Mutant, found: Outcome) -> str:
    if found.caught:
        return ", ".join(found.caught)
    return "equivalent" if mutant.equivalent else "miss: nothing"


def shown(kind: str, mutants: Sequence[Mutant], outcomes: dict[str, Outcome]) -> None:
    if not mutants:
        return
    caught = sum(bool(outcomes[m.name].caught) for m in mutants)
    rows = [(m.name, m.rule, outcomes[m.name].kernel, verdict(m, outcomes[m.name])) for m in mutants]
    notes = [f"{m.name} is equivalent: {m.equivalent}" for m in mutants if m.equivalent]
    where = {"transformer": "the transformer", "emitted": "emitted files"}[kind]
    title = f"{len(mutants)} faults in {where}, {caught} caught"
    table(title, ("mutant", "what it breaks", "kernel", "caught by"), rows, notes)


def written(
    mutants: Sequence[Mutant], outcomes: dict[str, Outcome], missed: Sequence[str], wrong: Sequence[str]
) -> None:
    data: dict[str, object] = {"missed": missed, "caught_without_a_fault": wrong}
    for kind in KINDS:
        mine = [m for m in mutants if m.kind == kind]
        data[kind] = {
            "seeded": len(mine),
            "at_least": LEAST[kind],
            "caught": sum(bool(outcomes[m.name].caught) for m in mine),
            "equivalent": sum(bool(m.equivalent) for m in mine),
            "mutants": [
                {
                    "name": m.name,
                    "breaks": m.rule,
                    "file": m.file,
                    "caught_by": list(outcomes[m.name].caught),
                    "kernel": outcomes[m.name].kernel,
                    "detail": outcomes[m.name].detail,
                    "equivalent": m.equivalent or None,
                }
                for m in mine
            ],
        }
    save("mutants", data)


if __name__ == "__main__":
    sys.exit(main())
