"""Many kernels and their adjoints in one translation unit, judged one by one in a child process.

All of `check` is done: differences, exact tangents, every access watched, and the
contract's other promises; before that, whether each name means what it is found to be
(names.py). Texts are compiled together (units.py), under kernel names of
their own; a child that dies or hangs costs the kernel that it was at, not the others.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from zlib import crc32

from s2sad.diagnostics import Rejected
from s2sad.options import NAMES, SKINS, Options, assumption
from s2sad.pipeline import transform
from s2sad.source import Source
from s2sad.validate import check_pair, check_tangent
from s2sad.validate.case import Case
from s2sad.validate.launching import Pair
from s2sad.validate.report import Report

from .names import misused
from .tree import Program
from .units import Libraries, Text, build

SECONDS = 10  # of computing for one kernel's adjoint, and as many for its check
PATIENCE = 12  # so many times as long by the clock: others may be computing too
TOLERANCE = 1e-6
# What a difference may be off by: where a whole gradient is as small, it says nothing.
NOISE = 1e-8
# What isn't a failure: a kernel that can't be judged, and what s2sad may say instead of giving an adjoint.
ACCEPTED = (
    "uncheckable",
    "refused unbounded-record",
    "refused unbounded-integer",
    "refused shared-writer",
    "refused cross-block-flow",
    "refused never-stored",
    "refused tape-budget",
)
IDLE = ("refused bound-not-used", "refused option-without-effect")
# Off by less, the tangents may have lost digits where large terms cancel.
SLIGHT = 1e-9


FORWARD = "S2SAD_FUZZ_FORWARD"
"""The environment variable that asks for tangents instead of adjoints, in this process and its children."""
BUDGET = "S2SAD_FUZZ_TAPE_BUDGET"
"""The one for the bytes of a thread's tape."""

Handler = Callable[[int, FrameType | None], object] | signal.Handlers


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
        return self.kind != "ok" and not self.kind.startswith(ACCEPTED)


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
        name = f"kernel{number}"  # no local is called so: the texts that are shown have `k` for it
        source, case = program.text(name), program.case(name)
        asked = options(program)
        found = _prepared(source, case, asked)
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


def _prepared(source: str, case: str, asked: Options) -> _Ready | Verdict:
    """The pair and its case; options that change nothing are left out."""
    found = prepare(source, case, asked)
    if asked.tape_budget is not None and isinstance(found, Verdict) and found.kind == "refused tape-budget":
        asked = replace(asked, tape_budget=None)
        found = prepare(source, case, asked)
    while isinstance(found, Verdict) and found.kind in IDLE:
        unused = re.findall(r"--(bound|store|recompute) (\w+)", found.detail)
        left = replace(
            asked,
            bounds=tuple(b for b in asked.bounds if ("bound", str(b[0])) not in unused),
            store=tuple(name for name in asked.store if ("store", name) not in unused),
            recompute=tuple(name for name in asked.recompute if ("recompute", name) not in unused),
        )
        if left == asked:
            break
        asked, found = left, prepare(source, case, left)
    return found


def judge_texts(texts: Sequence[tuple[str, str, Options]]) -> list[Verdict]:
    """One verdict for each source, case and request; each kernel has a name of its own."""
    found = [_prepared(source, case, chosen) for source, case, chosen in texts]
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
    named = f"{program.case()}\n{body}"
    known = [text for text in program.assume if text == "launch:1d" or text.split(":")[1] in named]
    return Options(
        of=program.of,
        wrt=program.wrt,
        mode="split" if program.mode == "split" else "joint",
        names=NAMES[program.names],
        skin=SKINS[program.skin],
        bounds=program.bounds,
        assume=tuple(assumption(text) for text in known),
        store=tuple(name for name in program.store if name in declared),
        recompute=tuple(name for name in program.recompute if name in declared),
        tape_budget=64 if crc32(program.label.encode()) % 8 == 0 else None,
    )


def forward(chosen: Options) -> Options:
    """The same request for the tangent kernel, without what is said about a reverse sweep."""
    kept = {name: getattr(chosen, name) for name in ("of", "wrt", "assume", "template", "defines")}
    return Options(mode="tangent", **kept)


def prepare(source: str, case: str, chosen: Options) -> _Ready | Verdict:
    """The pair and its case, or why there is none."""
    if FORWARD in os.environ:
        chosen = forward(chosen)
    elif BUDGET in os.environ:
        chosen = replace(chosen, tape_budget=int(os.environ[BUDGET]))
    _wind(_late)
    try:
        done = transform(Source("k.cu", source), chosen)
        pair, adjoint = done.pair, done.adjoint
        for function in (adjoint.kernel, adjoint.forward, adjoint.measure, *adjoint.functions):
            if function is not None and (names := misused(function)):
                return Verdict("names outside of their scope", f"{function.name}: {', '.join(names)}")
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
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def _wind(then: Handler) -> None:
    """What is to be done when time is over."""
    signal.signal(signal.SIGPROF, then)
    signal.signal(signal.SIGALRM, then)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(PATIENCE * SECONDS)


def _late(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


# ---- running -----------------------------------------------------------------------


def _texts(ready: _Ready) -> tuple[Text, Text]:
    pair = ready.pair
    return Text(pair.primal_text, (pair.primal,)), Text(pair.adjoint_text, pair.kernels)


def _run(ready: dict[int, _Ready]) -> dict[int, Verdict]:
    if not ready:
        return {}
    verdicts: dict[int, Verdict] = {}
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        texts = [_texts(one) for one in ready.values()]
        units = build([primal for primal, _ in texts], [adjoint for _, adjoint in texts], Path(name))
        for number, one in ready.items():
            for text in _texts(one):
                if why := units.failed["run"].get(text.source):
                    verdicts[number] = Verdict(f"uncompilable {_gist(why)}", why)
        left = [number for number in ready if number not in verdicts]
        while left:
            done = _child([(number, ready[number]) for number in left], units)
            verdicts.update(done)
            left = [number for number in left if number not in done]
            if left:
                verdicts[left[0]] = Verdict("run dies or hangs", "the child's process ended")
                left = left[1:]
    return verdicts


def _gist(message: str) -> str:
    found = re.search(r"error: (.*)", message)
    return re.sub(r"‘[^’]*’|'[^']*'", "_", found[1])[:60] if found else ""


def _child(todo: list[tuple[int, _Ready]], units: Libraries) -> dict[int, Verdict]:
    """Verdicts from a process of its own, as far as it came."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            with os.fdopen(writing, "wb") as out:
                for number, ready in todo:
                    _wind(signal.SIG_DFL)
                    pickle.dump((number, _checked(ready, units)), out)
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


def _checked(ready: _Ready, units: Libraries) -> Verdict:
    try:
        judged = check_tangent if ready.pair.is_tangent else check_pair
        report = judged(ready.pair, ready.case, units, tolerance=TOLERANCE)
    except Rejected as rejected:
        return Verdict("run fails", str(rejected))
    except Exception as error:
        return Verdict(f"check crashes {type(error).__name__}", _cut(traceback.format_exc(limit=-8)))
    host = re.findall(r'^extern "C" size_t .*?^}', ready.pair.adjoint_text, flags=re.M | re.S)
    if any(re.search(r"\b(blockDim|gridDim|threadIdx|blockIdx)\b", text) for text in host):
        return Verdict("device names in a host function", "\n".join(host))
    if report.ok:
        return Verdict("ok", looked_at(report))
    kind = _failure(ready, report)
    if kind == "uncheckable" and _by_tangents(report):
        return Verdict("ok", "an argument by tangents alone: each of its elements stands at a kink")
    return Verdict(kind, report.text())


def _by_tangents(report: Report) -> bool:
    """Whether differences find nothing wrong where they can be taken, and tangents judge the rest."""
    compared = all(row.verdict in ("ok", "zero", "not compared") for row in report.rows)
    return compared and bool(report.exact) and all(exact.verdict == "ok" for exact in report.exact)


def looked_at(report: Report) -> str:
    """Which of the checks there were."""
    missing = [
        *(["differences"] if not report.rows else []),
        *(["tangents"] if not report.exact else []),
        *(["watching"] if len(report.watched) < 2 else []),
    ]
    return f"without {', '.join(missing)}" if missing else "all"


def _failure(ready: _Ready, report: Report) -> str:
    """The class of what is wrong with an adjoint."""
    broken = [finding.what for finding in report.findings if not finding.ok]
    for fault in report.faults:
        if not fault.harmless:
            ours = "adjoint" if fault.kernel != ready.pair.primal.name else "primal"
            return f"{fault.kind} in the {ours}"
    if report.undetermined:
        return "uncheckable primal"
    if any("another order of threads" in what for what in broken):
        return "uncheckable race"
    if any(row.verdict == "wrong" and not abs(row.adjoint - row.difference) < NOISE for row in report.rows):
        return "wrong gradient"
    if broken:
        return "broken promise " + re.sub(r"\w*\d\w*", "_", broken[0])[:50]
    if any(single.verdict == "wrong" for single in report.floats):
        return "digits lost in float"
    if wrong := [exact for exact in report.exact if exact.verdict == "wrong"]:
        return "wrong by tangents" if max(one.residual for one in wrong) > SLIGHT else "slightly off tangents"
    return "uncheckable"


def _cut(text: str) -> str:
    return "\n".join(line[:300] for line in text.splitlines())
