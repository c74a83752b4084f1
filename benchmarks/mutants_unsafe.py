"""Is each atomic and each barrier of an emitted adjoint needed, and would `check` miss it?

    python benchmarks/mutants_unsafe.py [KERNEL …] [--jobs N]

For every golden kernel whose adjoint has any, in both shapes, one mutant replaces each
`atomicAdd(&p, v)` by `p += v`, and one removes each `__syncthreads()` and `__syncwarp()`. Each
mutant must be caught by watching (races, shared memory that is read before
it is written, divergent barriers) or by the rest of `check`. If it isn't, the operation
wasn't needed, or the case doesn't show the need: `mutants_unsafe.toml` explains which.
A survivor that isn't listed there, or a listed one that is caught, is a miss.

A kernel without plain stores may be launched with more dimensions than it
uses, and an atomic may be needed only for that. So mutants that survive the case are launched
again with blocks of two rows, if the primal has no race there.

All mutants of one adjoint are compiled together, and judged in a separate process.
K_fwd is skipped: its barriers and atomics are the author's. So is the sum over a
block if the case has blocks of one warp, which don't show its needs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from report import HERE, ROOT, save, table

sys.path.insert(0, str(ROOT / "tests"))

SECONDS = 300
_HELPER = re.compile(r"\b\w*block_add(?=\()")
_CALL = re.compile(r"\b(atomicAdd|__syncthreads|__syncwarp)\(")


@dataclass(frozen=True)
class Site:
    """An atomic or a barrier of an emitted text: its range, its replacement, and its line."""

    start: int
    end: int
    new: str
    line: str

    def gone(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True)
class Outcome:
    """The result for one mutant: the first check that catches it, and its message; empty if none does."""

    kernel: str
    mode: str
    line: str
    times: int  # earlier occurrences of this line in the text
    caught: str
    detail: str = ""

    @property
    def name(self) -> str:
        """The name in mutants_unsafe.toml: the line, and its number if there are several."""
        return f"{self.kernel}: {self.line}" + (f" ({self.times + 1})" if self.times else "")


def sites(text: str, *spared: str) -> Iterator[Site]:
    """Yield each atomic addition and barrier of a text, except those in functions that are `spared`."""
    code = re.sub(r"//[^\n]*", lambda m: " " * len(m.group()), text)
    left_out = [_function(code, name) for name in spared]
    for found in _CALL.finditer(code):
        if any(begin <= found.start() < end for begin, end in left_out):
            continue
        close = _closing(code, found.end() - 1)
        after = re.compile(r"\s*;").match(code, close + 1)
        line = " ".join(text[found.start() : close + 1].split())
        before = code[: found.start()].rstrip()
        if after is None or not before.endswith((";", "{", "}", ")", "else")):
            continue  # its value is used
        if found.group(1) != "atomicAdd":
            yield Site(found.start(), after.end(), ";", line)
            continue
        place, value = _arguments(code[found.end() : close])
        target = place[1:] if place.startswith("&") else f"*({place})"
        yield Site(found.start(), after.end(), f"{target} += {value};", line)


def _function(code: str, name: str) -> tuple[int, int]:
    start = re.search(rf"\b{name}\(", code)
    assert start is not None, name
    return start.start(), _closing(code, code.index("{", start.start()))


def _closing(code: str, opening: int) -> int:
    """Return the index of the closing bracket."""
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0:
            return at
    raise ValueError("unbalanced")


def _arguments(code: str) -> tuple[str, str]:
    depth = 0
    for at, letter in enumerate(code):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            return code[:at].strip(), code[at + 1 :].strip()
    raise ValueError(code)


# ---- one adjoint, in a separate process ----------------------------------------------


def judged(kernel: str, mode: str) -> list[Outcome]:
    """Judge every mutant of one adjoint."""
    import golden_kit
    from fuzz.units import Text, build
    from test_golden import TOLERANCE

    from s2sad.run.cpu import CpuBackend
    from s2sad.validate import Case

    done = golden_kit.made(kernel, mode)  # type: ignore[arg-type]
    pair, text = done.pair, done.pair.adjoint_text
    own = [pair.adjoint.name, *([pair.forward.name] if pair.forward else [])]
    case = Case.read(golden_kit.file(kernel).with_suffix(".toml"), pair.primal)
    authors = [pair.primal.name, *([pair.forward.name] if pair.forward else [])]
    spared = [name for name in authors if re.search(rf"\b{name}\(", text)]
    if math.prod(case.setting().launch.block) <= 32:
        spared += dict.fromkeys(_HELPER.findall(text))
    pairs, found = [], list(sites(text, *spared))
    for number, site in enumerate(found):
        mutant = site.gone(text)
        for name in own:
            mutant = re.sub(rf"\b{name}(?=\b|_tape_bytes\b|_shared_bytes\b)", f"{name}_m{number}", mutant)
        renamed = replace(
            pair,
            adjoint_text=mutant,
            adjoint=replace(pair.adjoint, name=f"{pair.adjoint.name}_m{number}"),
            forward=pair.forward and replace(pair.forward, name=f"{pair.forward.name}_m{number}"),
        )
        pairs.append(renamed)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="s2sad-unsafe-") as folder:
        texts = [Text(p.adjoint_text, tuple(s for s in (p.adjoint, p.forward) if s)) for p in pairs]
        units = build([Text(pair.primal_text, (pair.primal,))], texts, Path(folder))
        seen: Counter[str] = Counter()
        for site, one in zip(found, pairs, strict=True):
            together = all(one.adjoint_text in units.found[use] for use in ("run", "float", "watch"))
            backend = units if together else CpuBackend()  # some texts can't be compiled together
            caught, detail = _caught(one, case, backend, case.tolerance or TOLERANCE)
            outcomes.append(Outcome(kernel, mode, site.line, seen[site.line], caught, detail))
            seen[site.line] += 1
    return outcomes


def _caught(pair, case, backend, tolerance) -> tuple[str, str]:  # type: ignore[no-untyped-def]
    """Return the first check that catches a mutant: watching, which is quickest, then all of them."""
    from s2sad.diagnostics import Rejected
    from s2sad.validate.check import check_pair, sound_setting
    from s2sad.validate.launching import Launcher
    from s2sad.validate.race_check import Watch
    from s2sad.validate.recipe import Launch

    watch, launcher = Watch(pair, backend), Launcher(pair, backend, "double")
    plain, primal = sound_setting(watch, case)
    (x, y, z), grid = plain.launch.block, plain.launch.grid
    rows = Launch(grid, (x, 2 * y, z), plain.launch.shared_bytes)
    wide = replace(plain, launch=rows, backward=rows)
    for setting in (plain, wide):
        if setting is wide:
            primal = watch.primal(wide) if y == z == 1 and 2 * x <= 1024 else None
            if primal is None or not primal.ok:
                break
        for seen in watch.adjoint(launcher, setting, launcher.buffers(setting.args, _ones(pair, setting))):
            for fault in seen.faults:
                if not fault.harmless:
                    return fault.kind, fault.text()
        if setting is plain:
            try:
                report = check_pair(pair, case, backend, tolerance=tolerance)
            except Rejected as rejected:
                return "run", str(rejected).splitlines()[0]
            if not report.ok:
                return "check", report.text().splitlines()[0]
    return "", ""


def _ones(pair, setting):  # type: ignore[no-untyped-def]
    import numpy as np

    return {of: np.ones_like(setting.args[of]) for of in pair.dependents}


# ---- all of them ---------------------------------------------------------------------


def asked(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return kernels and shapes; without names, all whose golden adjoint has an atomic or a barrier."""
    import golden_kit

    return [
        (name, mode)
        for name in names or golden_kit.KERNELS
        if _CALL.search(golden_kit.emitted(name))
        for mode in golden_kit.modes(name)
    ]


def apart(kernel: str, mode: str) -> list[Outcome]:
    """Run `judged` in a separate process."""
    command = [sys.executable, str(HERE / "mutants_unsafe.py"), "--one", kernel, mode]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env=os.environ | {"PYTHONPATH": paths},
        )
    except subprocess.TimeoutExpired:
        return [Outcome(kernel, mode, "not judged", 0, "", f"no answer after {SECONDS} s")]
    print(f"{kernel} {mode}", file=sys.stderr, flush=True)
    if done.returncode:
        return [Outcome(kernel, mode, "not judged", 0, "", done.stderr)]
    return [Outcome(**entry) for entry in json.loads(done.stdout.splitlines()[-1])]


def excused() -> dict[str, str]:
    """Read why mutants may survive, by name; in both shapes, or in one of them."""
    read = tomllib.loads((HERE / "mutants_unsafe.toml").read_text(encoding="utf-8"))
    return {f"{kernel}: {line}": why for kernel, lines in read.items() for line, why in lines.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", help="golden kernels; all of them if none is named")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    parser.add_argument("--one", nargs=2, metavar=("KERNEL", "MODE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps([asdict(outcome) for outcome in judged(*chosen.one)]))
        return 0
    import golden_kit

    if unknown := [name for name in chosen.names if name not in golden_kit.KERNELS]:
        parser.error(f"no such golden kernel: {', '.join(unknown)}")
    with ThreadPoolExecutor(chosen.jobs) as pool:
        every = [o for found in pool.map(lambda a: apart(*a), asked(chosen.names)) for o in found]
    known = excused()
    survived = [o for o in every if not o.caught]
    missed = [f"{o.name} ({o.mode})" for o in survived if o.name not in known]
    alive = {o.name for o in survived}
    missed += [
        f"{name} is said to survive, but is caught"
        for name in known
        if name not in alive and any(o.kernel == name.split(":")[0] for o in every)
    ]
    kernels = dict.fromkeys(o.kernel for o in every)
    rows = []
    for kernel in kernels:
        own = [o for o in every if o.kernel == kernel]
        by = Counter(o.caught or "survived" for o in own)
        why = ", ".join(f"{what} {count}" for what, count in by.most_common())
        rows.append(
            (kernel, str(len(own)), why, "miss" if any(m.startswith(f"{kernel}:") for m in missed) else "")
        )
    caught = len(every) - len(survived)
    table(
        f"{len(every)} atomics and barriers taken away one at a time, {caught} caught",
        ("kernel", "mutants", "caught by", ""),
        rows,
        [f"{name}: {why}" for name, why in known.items() if name in alive],
    )
    for name in missed:
        print(f"miss: {name}")
    for outcome in every:
        if outcome.line == "not judged":
            print(f"{outcome.name} ({outcome.mode})\n{outcome.detail}")
    if not chosen.names:
        save(
            "mutants_unsafe",
            {
                "mutants": len(every),
                "caught": caught,
                "missed": missed,
                "by kernel": {
                    kernel: dict(Counter(o.caught or "survived" for o in every if o.kernel == kernel))
                    for kernel in kernels
                },
            },
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
