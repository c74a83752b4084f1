"""How much of a folder of CUDA code s2sad takes, and what it refuses how often.

    python benchmarks/coverage.py ROOT [--sample N] [--only PART] [--json OUT.json]

Every `__global__` kernel below ROOT that could be differentiated (candidates.py) is
transformed, dependents and independents from its signature, in a separate process
with 20 seconds for each answer, with the -D and -I of the makefile beside it. The
output must parse and type-check again, use no undeclared name, and be
the same bytes a second time; a refusal must be a diagnostic with a place. A traceback
or a timeout is a failure, and any makes the exit status 1. If the parameters of a
kernel template are open, the command that the refusal names is followed literally
(--template T=float), and the number of such kernels is reported. So are --define NAME, if
declarations that a kernel uses are inside `#ifdef NAME`, and --include DIR, if a missing header
is in one folder of the project, or FILE, if a called function is in one file.
If a refusal suggests an assumption (--assume injective:y), that is followed too, but
counted separately: the kernel counts as refused, and a separate row says how many would be
transformed.

A parsed kernel that reads or writes no floating array doesn't count.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal

from candidates import Found, Unread, candidates
from rich.console import Console
from rich.table import Table

from s2sad import files, parse, pipeline
from s2sad.diagnostics import Code, Diagnostic, Rejected
from s2sad.options import Assumption, Options, template
from s2sad.source import Source

LIMIT = 20.0  # seconds for one answer
READ_AGAIN = 60.0  # seconds for reading the output, which is at least twice as long
ASKED = 3  # the most times that suggested assumptions are followed
_NOTHING = (Code.NO_DEPENDENT, Code.NO_INDEPENDENT)

Outcome = Literal["transformed", "parsed", "slow", "refused", "no candidate", "failed"]


@dataclass(frozen=True)
class Result:
    """The result for one candidate; `reasons` are pairs of a diagnostic's code and its text."""

    file: str
    kernel: str
    line: int
    outcome: Outcome
    reasons: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    template: str = ""
    assumed: str = ""  # the suggested assumptions with which it is transformed

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(code for code, _ in self.reasons))


# ---- one kernel ---------------------------------------------------------------


def judged(
    found: Found, options: Options, whole: bool = True, answered: Callable[[float], None] = lambda limit: None
) -> Result:
    """Transform one kernel and check the output; without `whole`, only parse it.

    `answered` is called after each step that a user would wait for, with the time limit of the next one.
    """
    blank = Result(str(found.path), found.kernel, found.line, "failed")
    options = replace(
        options,
        kernel=found.choice or found.kernel,
        defines=found.flags.defines,
        includes=(*options.includes, *(str(folder) for folder in found.flags.includes)),
    )
    begun = time.perf_counter()
    try:
        result = _judged(blank, options, whole, answered)
    except Exception:  # tracebacks are what this benchmark looks for
        result = replace(blank, reasons=(("traceback", traceback.format_exc(limit=-4)),))
    return replace(result, seconds=round(time.perf_counter() - begun, 2))


def _judged(blank: Result, options: Options, whole: bool, answered: Callable[[float], None]) -> Result:
    source = files.read(blank.file)
    try:
        pipeline.read(source, options)
    except Rejected as rejected:
        answered(LIMIT)
        defined = _to_define(rejected.diagnostics)
        if defined and (defined, "1") not in options.defines:
            more = replace(options, defines=(*options.defines, (defined, "1")))
            return _judged(blank, more, whole, answered)
        folders = _to_include(rejected.diagnostics)
        if not folders <= set(options.includes):
            more = replace(options, includes=(*options.includes, *sorted(folders - set(options.includes))))
            return _judged(blank, more, whole, answered)
        advice = _advised(rejected.diagnostics)
        if advice and not options.template:
            more = replace(options, template=template(advice))
            return _judged(replace(blank, template=advice), more, whole, answered)
        return replace(blank, outcome="refused", reasons=_reasons(rejected.diagnostics))
    answered(LIMIT)
    if not whole:
        return replace(blank, outcome="parsed")
    try:
        done = pipeline.transform(source, options)
    except Rejected as rejected:
        answered(LIMIT)
        nothing = any(d.code in _NOTHING for d in rejected.diagnostics)
        outcome: Outcome = "no candidate" if nothing else "parsed"
        assumed = "" if nothing else _with_assumptions(source, options, rejected.diagnostics, answered)
        return replace(blank, outcome=outcome, reasons=_reasons(rejected.diagnostics), assumed=assumed)
    answered(LIMIT)
    if pipeline.transform(Source(source.name, source.text), options).text != done.text:
        return replace(blank, reasons=(("other-bytes", "the second time the text differs"),))
    answered(READ_AGAIN)
    emitted = Source(f"{options.kernel}_adj.cu", done.text)
    try:
        parse.program(emitted, kernel=done.adjoint.kernel.name, dialect="emitted")
    except Rejected as rejected:
        return replace(blank, reasons=tuple(("not-whole", why) for _, why in _reasons(rejected.diagnostics)))
    return replace(blank, outcome="transformed")


def _advised(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the arguments of --template that a refusal suggests."""
    said = next((d.help for d in diagnostics if d.code is Code.TEMPLATE_ARGUMENT), "")
    return said.partition("--template ")[2]


def _with_assumptions(
    source: Source, options: Options, diagnostics: Sequence[Diagnostic], answered: Callable[[float], None]
) -> str:
    """Return the suggested assumptions if the kernel is transformed with them."""
    for _ in range(ASKED):
        words = [re.search(r"--assume (\w+):([\w.]+)", d.help) for d in diagnostics if d.severity == "error"]
        if not all(words):
            return ""
        more = tuple(dict.fromkeys(Assumption(w[1], w[2]) for w in words if w is not None))  # type: ignore[arg-type]
        options = replace(options, assume=tuple(dict.fromkeys((*options.assume, *more))))
        try:
            pipeline.transform(source, options)
        except Rejected as rejected:
            answered(LIMIT)
            diagnostics = rejected.diagnostics
        else:
            return " ".join(map(str, options.assume))
    return ""


def _to_include(diagnostics: Sequence[Diagnostic]) -> set[str]:
    """Return the project's header folders, and files with functions, that a refusal suggests."""
    said = (d.help for d in diagnostics if d.code in (Code.MISSING_INCLUDE, Code.NOT_DEFINED))
    return {folder for help in said for folder in re.findall(r"--include (\S+)", help) if folder != "DIR"}


def _to_define(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the macro that a refusal suggests, if it only needs to be defined."""
    for diagnostic in diagnostics:
        if diagnostic.code is Code.NOT_COMPILED and (
            found := re.search(r"--define (\w+)\b(?!=)", diagnostic.help)
        ):
            return found[1]
    return ""


def _reasons(diagnostics: Sequence[Diagnostic]) -> tuple[tuple[str, str], ...]:
    errors = [d for d in diagnostics if d.severity == "error"]
    return tuple((d.code.slug, f"{d.span or ''}: {d.title}; {d.label}") for d in errors)


# ---- many, each with a limit --------------------------------------------------


def _serve(channel: Connection, options: Options) -> None:
    while True:
        asked = channel.recv()
        if asked is None:
            return
        found, whole = asked
        channel.send(judged(found, options, whole, channel.send))


class Worker:
    """A process that judges one kernel after another; it is killed if one takes too long."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._start()

    def _start(self) -> None:
        self._channel, other = get_context("fork").Pipe()
        self._process: BaseProcess = get_context("fork").Process(
            target=_serve, args=(other, self._options), daemon=True
        )
        self._process.start()
        other.close()

    def judge(self, found: Found) -> Result:
        """Judge a kernel; if it takes too long, at least whether it can be parsed."""
        result = self._asked(found, True)
        if result.outcome == "failed" and result.codes == ("timeout",):
            alone = self._asked(found, False)
            return replace(result, outcome="slow") if alone.outcome == "parsed" else result
        return result

    def _asked(self, found: Found, whole: bool) -> Result:
        self._channel.send((found, whole))
        blank = Result(str(found.path), found.kernel, found.line, "failed")
        try:
            limit = LIMIT
            while self._channel.poll(limit):
                message: Result | float = self._channel.recv()
                if isinstance(message, Result):
                    return message
                limit = message
            reason = ("timeout", f"no answer after {LIMIT:.0f} s")
        except EOFError:
            reason = ("died", "the process ended")
        self._process.kill()
        self._process.join()
        self._start()
        return replace(blank, reasons=(reason,), seconds=LIMIT)

    def close(self) -> None:
        self._channel.send(None)
        self._process.join()


def results(found: Sequence[Found], options: Options) -> Iterator[Result]:
    """Yield the result for each kernel."""
    worker = Worker(options)
    for each in found:
        yield worker.judge(each)
    worker.close()


# ---- the report ---------------------------------------------------------------


def summary(found: Sequence[Result]) -> dict[str, object]:
    """Return the figures: counts of candidates by outcome, and refused kernels for each code."""
    outcomes = Counter(r.outcome for r in found)
    count = len(found) - outcomes["no candidate"]
    parsed = sum(r.outcome in ("transformed", "parsed", "slow") for r in found)
    return {
        "candidates": count,
        "parsed": parsed,
        "transformed": outcomes["transformed"],
        "parsed, then over 20 s": outcomes["slow"],
        "failed": outcomes["failed"],
        "with --assume as the refusal says": sum(bool(r.assumed) for r in found),
        "with --template": sum(bool(r.template) for r in found if r.outcome != "no candidate"),
        "without place": sum(not r.reasons for r in found if r.outcome in ("refused", "parsed")),
        "refused at parsing": dict(_frequencies(found, "refused")),
        "refused later": dict(_frequencies(found, "parsed")),
    }


def _frequencies(found: Sequence[Result], outcome: Outcome) -> list[tuple[str, int]]:
    codes = Counter(code for r in found if r.outcome == outcome for code in r.codes)
    return sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))


def _alone(found: Sequence[Result], code: str) -> int:
    return sum(r.codes == (code,) for r in found if r.outcome in ("refused", "parsed"))


def show(found: Sequence[Result], console: Console) -> None:
    """Print the tables."""
    figures = summary(found)
    count = max(1, int(str(figures["candidates"])))
    head = Table("", "kernels", "%", title=f"{figures['candidates']} candidates")
    for name in ("parsed", "transformed", "parsed, then over 20 s", "failed", "with --template"):
        number = int(str(figures[name]))
        head.add_row(name, str(number), f"{100 * number / count:.1f}")
    # among those that aren't transformed
    said = "with --assume as the refusal says"
    number = int(str(figures[said]))
    head.add_row(f"{said} (not transformed without)", str(number), f"{100 * number / count:.1f}")
    console.print(head)
    for title, outcome in (("refused at parsing", "refused"), ("refused later", "parsed")):
        table = Table("construct", "kernels", "alone", "for example", title=title)
        for code, number in _frequencies(found, outcome):  # type: ignore[arg-type]  # both are outcomes
            example = next(why for r in found if r.outcome == outcome for c, why in r.reasons if c == code)
            table.add_row(code, str(number), str(_alone(found, code)), example[-150:])
        console.print(table)
    for result in found:
        if result.outcome in ("failed", "slow"):
            console.print(f"FAILED {result.file} {result.kernel}", markup=False)
            for code, why in result.reasons:
                console.print(f"  {code}: {why}", markup=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--sample", type=int, default=150, help="how many kernels; 0 for all")
    parser.add_argument("--only", default="", help="kernels whose file and name hold this text")
    parser.add_argument("--include", type=Path, action="append", default=[])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = list(candidates(given.root, given.include))
    unread = [f for f in found if isinstance(f, Unread)]
    kernels = [f for f in found if isinstance(f, Found) and given.only in f"{f.path} {f.kernel}"]
    if 0 < given.sample < len(kernels):
        kernels = [kernels[i * len(kernels) // given.sample] for i in range(given.sample)]
    options = Options(includes=tuple(str(folder) for folder in given.include))
    done = list(results(kernels, options))
    done += [Result(str(u.path), "", 0, "refused", _reasons([u.reason])) for u in unread]
    show(done, Console(width=180))
    if given.json is not None:
        data = {"summary": summary(done), "kernels": [asdict(r) for r in done]}
        given.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 1 if any(r.outcome in ("failed", "slow") for r in done) else 0


if __name__ == "__main__":
    sys.exit(main())
