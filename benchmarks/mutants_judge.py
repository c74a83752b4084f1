"""Judge one mutant, in a process that imports s2sad from the mutant's own tree.

The order is read as JSON from standard input, and the verdict is the last line of output.
This uses the same as the tests: golden kernels with their cases, all of
`check`, both shapes, the kernels that were wrong once, and random ones.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

TREE = Path(sys.argv[1])

import golden_kit  # noqa: E402
import numpy as np  # noqa: E402
from fuzz.batch import Verdict, judge_texts, options, prepare  # noqa: E402
from fuzz.generate import program  # noqa: E402
from test_fuzz import REGRESSIONS  # noqa: E402
from test_fuzz import read as regression  # noqa: E402
from test_golden import AGREEMENT, TOLERANCE, gradients, silent  # noqa: E402

import s2sad  # noqa: E402
from s2sad import parse  # noqa: E402
from s2sad.diagnostics import Code, Rejected  # noqa: E402
from s2sad.options import Mode, Options  # noqa: E402
from s2sad.pipeline import Transformed  # noqa: E402
from s2sad.run.isolated import Isolated  # noqa: E402
from s2sad.source import Source  # noqa: E402
from s2sad.validate import Case, Report, check_pair  # noqa: E402

SEED = 77
_AT_ONCE = 32
MODES: tuple[Mode, ...] = ("joint", "split")

Asked = tuple[str, str, str, Options]  # a kernel's name, its text, its case, its options
Found = tuple[list[str], str]  # the failed checks, values first, and the first one's message
NOTHING: Found = ([], "")


def main() -> None:
    assert s2sad.__file__ is not None
    assert Path(s2sad.__file__).is_relative_to(TREE), s2sad.__file__
    order = json.load(sys.stdin)
    with Isolated("cpu", timeout=20.0) as backend:
        answer: Mapping[str, object]
        if "baseline of" in order:
            answer = baseline(order["baseline of"] or golden_kit.KERNELS, order["random"])
        elif "control of" in order:
            answer = {"caught": control(order["control of"], backend)}
        elif order["kind"] == "emitted":
            answer = emitted(order, backend)
        else:
            answer = Seeded(order, backend).answer()
    print(json.dumps(answer))


def baseline(names: Sequence[str], random: int) -> dict[str, str]:
    """Return each adjoint in each shape, or why there is none; for random kernels, those that are right."""
    found = {f"{name} {mode}": text_of(name, mode)[0] for name in names for mode in MODES}
    if random:
        for asked in (*regressions(), *at_random(random)):
            for (name, *_), verdict in zip(asked, judge_texts([one[1:] for one in asked]), strict=True):
                if verdict.kind == "ok":
                    found[name] = verdict.adjoint
    return found


def text_of(name: str, mode: Mode) -> tuple[str, Transformed | None]:
    try:
        done = golden_kit.made(name, mode)
    except Rejected as rejected:
        return "refused " + ",".join(d.code.slug for d in rejected.diagnostics), None
    except Exception as error:
        return f"crash {type(error).__name__}: {str(error)[:200]}", None
    return done.text, done


# ---- one adjoint -----------------------------------------------------------------------


def checked(name: str, done: Transformed, backend: Isolated, adjoint: str | None = None) -> Found:
    """Return the errors that all of `check` finds in an adjoint, or in another text in its place."""
    pair = done.pair if adjoint is None else replace(done.pair, adjoint_text=adjoint)
    case = Case.read(golden_kit.file(name).with_suffix(".toml"), pair.primal)
    try:
        report = check_pair(
            pair,
            case,
            backend,
            tolerance=case.tolerance or TOLERANCE,
            assume=[str(a) for a in done.options.assume],
        )
    except Rejected as rejected:
        compiler = any(d.code is Code.COMPILE_FAILED for d in rejected.diagnostics)
        return ["compiler" if compiler else "run"], str(rejected)
    found = of_report(report)
    if not found[0] and (quiet := silent(report, done.pair.independents)):
        return ["nothing compared"], f"the case says nothing of {', '.join(quiet)}"
    return found


def of_report(report: Report) -> Found:
    """Return the checks that failed: values first, then promises, then faults of watched launches."""
    checks: list[str] = []
    words: list[str] = []
    for row in report.rows:
        if row.verdict == "wrong":
            checks.append("differences")
            where = "a direction" if row.element is None else f"[{row.element}]"
            words.append(f"{row.name}{where} is {row.adjoint:.6g}, differences say {row.difference:.6g}")
        elif row.verdict == "not compared":
            checks.append("nothing compared")
            words.append(f"{row.name}: nothing could be compared")
    if any(exact.verdict == "wrong" for exact in report.exact):
        checks.append("exact tangents")
        words += [exact.text() for exact in report.exact if exact.verdict == "wrong"]
    if any(single.verdict == "wrong" for single in report.floats):
        checks.append("float as float")
        words += [single.text() for single in report.floats if single.verdict == "wrong"]
    broken = [finding.what for finding in report.findings if not finding.ok]
    if broken:
        checks.append("contract")
        words += broken
    for fault in report.faults:
        if not fault.harmless:
            checks.append(fault.kind)
            words.append(fault.text())
    if not checks and not report.ok:
        checks.append("report")
    return list(dict.fromkeys(checks)), words[0] if words else ""


def agree(name: str, one: Transformed, other: Transformed, backend: Isolated) -> Found:
    """Check that both shapes give the same gradients."""
    here, there = gradients(name, one, backend), gradients(name, other, backend)
    for argument, found in here.items():
        scale = float(np.max(np.abs(found), initial=0.0)) or 1.0
        if not np.allclose(there[argument], found, rtol=0, atol=AGREEMENT * scale, equal_nan=True):
            return ["split = joint"], f"adj_{argument} differs between the shapes"
    return NOTHING


def readable(name: str, done: Transformed) -> Found:
    """Check that our own parser and type checker accept the file."""
    try:
        for function in (done.adjoint.forward, done.adjoint.kernel):
            if function is not None:
                emitted = Source(f"{name}_adj.cu", done.text)
                parse.program(emitted, kernel=function.name, dialect="emitted")
    except Rejected as rejected:
        return ["own parser"], str(rejected).splitlines()[0]
    return NOTHING


# ---- a fault of the transformer ----------------------------------------------------------


class Seeded:
    """Runs the checks on a mutant, up to the one that catches it."""

    def __init__(self, order: Mapping[str, object], backend: Isolated) -> None:
        self.order = order
        self.backend = backend
        self.before: dict[str, str] = json.loads(Path(str(order["baseline"])).read_text(encoding="utf-8"))
        self.changed: set[str] = set()

    def answer(self) -> dict[str, object]:
        for kernel, found in self.tried():
            if found[0]:
                said = {"caught": found[0], "kernel": kernel, "detail": plain(found[1])}
                return {**said, "changed": len(self.changed)}
        return {"caught": [], "kernel": "", "detail": "", "changed": len(self.changed)}

    def tried(self) -> Iterator[tuple[str, Found]]:
        named = list(self.order["kernels"])  # type: ignore[call-overload]
        for name in named:
            yield name, self.kernel(name)
        if self.order["test"]:
            yield str(self.order["test"]), tested(str(self.order["test"]))
        if self.order["only named"]:
            return
        random = int(str(self.order["random"]))
        for asked in regressions() if random else ():
            yield from self.many(asked)
        for name in golden_kit.KERNELS:
            if name not in named:
                yield name, self.kernel(name)
        for asked in at_random(random):
            yield from self.many(asked)

    def many(self, asked: Sequence[Asked]) -> Iterator[tuple[str, Found]]:
        """Judge those of many kernels whose adjoint changed, in one translation unit."""
        todo = [one for one in asked if one[0] in self.before and self.adjoint(*one) != self.before[one[0]]]
        self.changed.update(one[0] for one in todo)
        for (name, *_), verdict in zip(todo, judge_texts([one[1:] for one in todo]), strict=True):
            if verdict.kind != "ok":
                said = "wrong once" if " " in name else "random kernels"
                yield name, ([said, verdict.kind], gist(verdict))

    def adjoint(self, name: str, source: str, case: str, chosen: Options) -> str:
        found = prepare(source, case, chosen)
        return found.kind if isinstance(found, Verdict) else found.pair.adjoint_text

    def kernel(self, name: str) -> Found:
        """Judge both shapes of a golden kernel, the specified one first, and their agreement."""
        made: list[Transformed] = []
        anything = False
        for mode in shapes(name):
            text, done = text_of(name, mode)
            if done is not None:
                made.append(done)
            if text == self.before.get(f"{name} {mode}"):
                continue
            anything = True
            self.changed.add(name)
            if done is None:
                return [text.split(" ")[0].replace("refused", "refusal")], f"{mode}: {text}"
            found = readable(name, done)
            if not found[0]:
                found = checked(name, done, self.backend)
            if found[0]:
                return found
        if anything and len(made) == 2:
            return agree(name, made[0], made[1], self.backend)
        return NOTHING


def shapes(name: str) -> tuple[Mode, ...]:
    """Return the shapes that exist; both, if the transformer fails with an internal error."""
    try:
        return golden_kit.modes(name)
    except Exception:
        return MODES


def tested(words: str) -> Found:
    """Run a test of the tests folder on the mutant."""
    quick = ["-q", "-x", "-p", "no:cacheprovider", "-m", ""]  # including thorough ones
    command = [sys.executable, "-m", "pytest", *quick, *words.split(" ", 2)]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return NOTHING
    failed = re.search(r"^(?:FAILED|ERROR) (\S+?)(?: - .*)?$", done.stdout, flags=re.M)
    assert done.returncode == 1, done.stdout + done.stderr
    return [f"test {Path(words.split()[0]).stem}"], failed[1] if failed else ""


def regressions() -> Iterator[list[Asked]]:
    """Yield the kernels of tests/fuzz/regressions, which were wrong once, in both shapes."""
    for mode in MODES:
        shape = Options(mode=mode)
        read = [(path.stem, *regression(path)) for path in REGRESSIONS]
        yield [(f"{name} {mode}", text, case, asked.over(shape)) for name, text, case, asked in read]


def at_random(count: int) -> Iterator[list[Asked]]:
    for first in range(0, count, _AT_ONCE):
        made = [
            (f"{SEED}:{first + k}", program(f"{SEED}:{first + k}"))
            for k in range(min(_AT_ONCE, count - first))
        ]
        yield [
            (name, one.text(f"k{k}"), one.case(f"k{k}"), options(one)) for k, (name, one) in enumerate(made)
        ]


def gist(verdict: Verdict) -> str:
    return verdict.detail.splitlines()[0] if verdict.detail else verdict.kind


# ---- a fault of an emitted file ------------------------------------------------------------


def emitted(order: Mapping[str, object], backend: Isolated) -> dict[str, object]:
    name, *shape = str(order["file"]).split()
    mode: Mode = "split" if shape == ["split"] else golden_kit.asked(name)
    done = golden_kit.made(name, mode)
    text, old = done.text, str(order["old"])
    if text.count(old) != 1:
        return {"stale": f"{order['name']}: its text stands {text.count(old)} times in the adjoint of {name}"}
    caught, detail = checked(name, done, backend, text.replace(old, str(order["new"])))
    return {"caught": caught, "kernel": name, "detail": plain(detail), "changed": 1}


def control(names: Sequence[str], backend: Isolated) -> list[str]:
    """Return the checks that fail on golden kernels without a fault."""
    wrong = []
    for name in names:
        if name in golden_kit.KERNELS:
            for mode in golden_kit.modes(name):
                done = golden_kit.made(name, mode)
                found, detail = checked(name, done, backend)
                wrong += [f"{name} ({mode}): {', '.join(found)}: {detail}"] if found else []
    return wrong


def plain(detail: str) -> str:
    """Return a detail without the machine's paths, short enough for a table."""
    return re.sub(r"/\S*/", "", detail.splitlines()[0] if detail else "")[:200]


main()
