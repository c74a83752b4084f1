"""Many kernels and their adjoints in one translation unit, judged one by one in a child process.

Compiling is most of the time, and a unit of forty takes as long as four of one. Each
text stands in a namespace of its own under a kernel name of its own. What doesn't
compile together is compiled alone, and a child that dies or hangs costs the kernel
that it was at, not the others.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from s2sad.diagnostics import Rejected
from s2sad.options import Options, assumption
from s2sad.pipeline import transform
from s2sad.run.backend import CompileFailed
from s2sad.run.cpu.compiler import FLAGS, INCLUDE, compiler, first_errors
from s2sad.run.cpu.module import CpuModule
from s2sad.run.cpu.unit import write
from s2sad.run.reals import Real
from s2sad.signature import Signature
from s2sad.source import Source
from s2sad.validate.case import Case
from s2sad.validate.check import check_pair
from s2sad.validate.launching import Pair

from .tree import Program

SECONDS = 10  # for one kernel's adjoint, and as many for its check
TOLERANCE = 1e-6
# What a difference may be off by: where a whole gradient is as small, it says nothing.
NOISE = 1e-8
# Not optimised, as each text runs for a moment only: compiling is most of the time.
_FLAGS = (*(flag for flag in FLAGS if flag != "-O2"), "-O0")


@dataclass(frozen=True)
class Verdict:
    """What became of a program. `kind` is "ok" or the class of the failure."""

    kind: str
    detail: str = ""
    source: str = ""
    case: str = ""
    adjoint: str = ""

    @property
    def failed(self) -> bool:
        return self.kind not in ("ok", "uncheckable")


@dataclass(frozen=True)
class _Ready:
    """A program that has an adjoint."""

    pair: Pair
    case: Case


def judge(programs: Sequence[Program]) -> list[Verdict]:
    """One verdict for each program."""
    verdicts: list[Verdict | None] = []
    ready: dict[int, _Ready] = {}
    texts: list[tuple[str, str, str]] = []
    for number, program in enumerate(programs):
        name = f"k{number}"
        source, case = program.text(name), program.case(name)
        found = prepare(source, case, options(program))
        if isinstance(found, _Ready):
            ready[number] = found
            verdicts.append(None)
            texts.append((program.text(), program.case(), found.pair.adjoint_text.replace(name, "k")))
        else:
            verdicts.append(found)
            texts.append((program.text(), program.case(), ""))
    for number, verdict in _run(ready).items():
        verdicts[number] = verdict
    return [
        Verdict(v.kind, v.detail, *text) if v else Verdict("lost", "", *text)
        for v, text in zip(verdicts, texts, strict=True)
    ]


def judge_texts(texts: Sequence[tuple[str, str, Options]]) -> list[Verdict]:
    """One verdict for each source, case and request; each kernel has a name of its own."""
    found = [prepare(source, case, chosen) for source, case, chosen in texts]
    ready = {number: one for number, one in enumerate(found) if isinstance(one, _Ready)}
    done = _run(ready)
    verdicts = []
    for number, (one, (source, case, _)) in enumerate(zip(found, texts, strict=True)):
        verdict = done[number] if isinstance(one, _Ready) else one
        adjoint = one.pair.adjoint_text if isinstance(one, _Ready) else ""
        verdicts.append(Verdict(verdict.kind, verdict.detail, source, case, adjoint))
    return verdicts


def options(program: Program) -> Options:
    """What is asked of the transformation; names that a smaller program has no more are left out."""
    body = "\n".join(line for stmt in program.body for line in stmt.lines())
    declared = set(re.findall(r"(?:float|double) (\w+)", body))
    known = [text for text in program.assume if text == "launch:1d" or text.split(":")[1] in program.case()]
    return Options(
        of=program.of,
        wrt=program.wrt,
        mode="split" if program.mode == "split" else "joint",
        assume=tuple(assumption(text) for text in known),
        store=tuple(name for name in program.store if name in declared),
        recompute=tuple(name for name in program.recompute if name in declared),
    )


def prepare(source: str, case: str, chosen: Options) -> _Ready | Verdict:
    """The pair and its case, or why there is none."""
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(SECONDS)
    try:
        done = transform(Source("k.cu", source), chosen)
        pair = done.pair
        return _Ready(pair, Case.parse(case, pair.primal))
    except Rejected as rejected:
        codes = ",".join(dict.fromkeys(d.code.slug for d in rejected.diagnostics))
        return Verdict(f"refused {codes}", str(rejected))
    except TimeoutError:
        return Verdict("transform hangs", f"more than {SECONDS} s")
    except RecursionError:
        return Verdict("crash RecursionError", _cut(traceback.format_exc(limit=-6)))
    except Exception as error:
        trace = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(trace.filename).name}:{trace.name}"
        return Verdict(f"crash {type(error).__name__} {where}", _cut(traceback.format_exc(limit=-8)))
    finally:
        signal.alarm(0)


def _late(number: int, frame: object) -> None:
    raise TimeoutError


# ---- compiling ---------------------------------------------------------------------


class _Units:
    """Implements run.backend.Backend for texts that have been compiled already."""

    name = "cpu"

    def __init__(self, known: dict[str, CpuModule]) -> None:
        self.known = known

    def compile(
        self, text: str, signatures: Sequence[Signature], *, real: Real = "float", name: str = "kernel.cu"
    ) -> CpuModule:
        return self.known[text]


def _texts(ready: _Ready) -> list[tuple[str, list[Signature]]]:
    pair = ready.pair
    forward = [pair.forward] if pair.forward else []
    return [(pair.primal_text, [pair.primal]), (pair.adjoint_text, [pair.adjoint, *forward])]


def _library(all_ready: Sequence[_Ready], folder: Path) -> Path:
    """One library for all of them. Raises CompileFailed."""
    parts: list[str] = []
    signatures: list[Signature] = []
    for ready in all_ready:
        for text, ours in _texts(ready):
            space = f"space{len(parts)}"
            names = [signature.name for signature in ours]
            names += [n for s in ours if (n := f"{s.name}_tape_bytes") in text]
            names += [n for s in ours if (n := f"{s.name}_shared_bytes") in text]
            text = re.sub(r"^\s*#include.*$", "", text, flags=re.M)
            used = "".join(f"using {space}::{name};\n" for name in names)
            parts.append(f"namespace {space} {{\n{text}\n}}\n{used}")
            signatures += ours
    handle, file = tempfile.mkstemp(suffix=".so", dir=folder)
    os.close(handle)
    unit = write("\n".join(parts), signatures, "double", "kernels.cu")
    command = [*compiler().command, *_FLAGS, f"-I{INCLUDE}", "-x", "c++", "-", "-o", file, "-lm"]
    done = subprocess.run(command, input=unit, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompileFailed(first_errors(done.stderr))
    return Path(file)


# ---- running -----------------------------------------------------------------------


def _run(ready: dict[int, _Ready]) -> dict[int, Verdict]:
    if not ready:
        return {}
    verdicts: dict[int, Verdict] = {}
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        try:
            groups = [(list(ready), _library(list(ready.values()), folder))]
        except CompileFailed:
            groups = []
            for number, one in ready.items():
                try:
                    groups.append(([number], _library([one], folder)))
                except CompileFailed as error:
                    verdicts[number] = Verdict(f"uncompilable {_gist(str(error))}", str(error))
        for numbers, library in groups:
            left = list(numbers)
            while left:
                done = _child([(number, ready[number]) for number in left], library)
                verdicts.update(done)
                left = [number for number in left if number not in done]
                if left:
                    verdicts[left[0]] = Verdict("run dies or hangs", "the child's process ended")
                    left = left[1:]
    return verdicts


def _gist(message: str) -> str:
    found = re.search(r"error: (.*)", message)
    return re.sub(r"‘[^’]*’|'[^']*'", "_", found[1])[:60] if found else ""


def _child(todo: list[tuple[int, _Ready]], library: Path) -> dict[int, Verdict]:
    """Verdicts from a process of its own, as far as it came."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            with os.fdopen(writing, "wb") as out:
                for number, ready in todo:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    signal.alarm(SECONDS)
                    pickle.dump((number, _checked(ready, library)), out)
                    out.flush()
        finally:
            os._exit(0)
    os.close(writing)
    done: dict[int, Verdict] = {}
    with os.fdopen(reading, "rb") as answers:
        while True:
            try:
                number, verdict = pickle.load(answers)
            except (EOFError, pickle.UnpicklingError):
                break
            done[number] = verdict
    os.waitpid(pid, 0)
    return done


def _checked(ready: _Ready, library: Path) -> Verdict:
    known = {text: CpuModule(library, "kernels.cu", "double") for text, _ in _texts(ready)}
    try:
        report = check_pair(ready.pair, ready.case, _Units(known), tolerance=TOLERANCE)
    except Rejected as rejected:
        return Verdict("run fails", str(rejected))
    except Exception as error:
        return Verdict(f"check crashes {type(error).__name__}", _cut(traceback.format_exc(limit=-8)))
    host = re.findall(r'^extern "C" size_t .*?^}', ready.pair.adjoint_text, flags=re.M | re.S)
    if any(re.search(r"\b(blockDim|gridDim|threadIdx|blockIdx)\b", text) for text in host):
        return Verdict("device names in a host function", "\n".join(host))
    if report.ok:
        return Verdict("ok", f"{report.worst:.1e}")
    broken = [finding.what for finding in report.findings if not finding.ok]
    if any("another order of threads" in what for what in broken):
        return Verdict("uncheckable race", report.text())
    if any(row.verdict == "wrong" and not abs(row.adjoint - row.difference) < NOISE for row in report.rows):
        return Verdict("wrong gradient", report.text())
    if broken:
        return Verdict("broken promise " + re.sub(r"\w*\d\w*", "_", broken[0])[:50], report.text())
    return Verdict("uncheckable", report.text())


def _cut(text: str) -> str:
    return "\n".join(line[:300] for line in text.splitlines())
