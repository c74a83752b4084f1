"""What the playground's page asks of Python in the browser: a kernel and options in, texts out.

This runs under Pyodide, in a Web Worker. Kernels are files of a folder of its own there, and options are
the words of a command line, so every text is the one that `s2sad` prints for the same file.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import cli, error_index, files, messages
from ..cli.arguments import request, request_options, usage
from ..cli.outcome import Misused, Outcome
from ..cli.transform import transformed
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..emit import explain
from ..entries import of_diagnostic
from ..options import Options, command
from ..parse.depth import deep
from ..resources import templates

if TYPE_CHECKING:
    from ..pipeline import Transformed

NOT_CHECKED = "a browser has no compiler; run `{command}`"
_NAME = re.compile(r"\w[\w.+ -]*\.(cu|cuh|py)")
_HEADER = re.compile(r"\w[\w.+-]*")
_KERNELS = 2  # from here on there is a choice


@dataclass(frozen=True)
class Question:
    """A kernel's file by its name and text, the headers beside it, and the options."""

    file: str
    text: str
    words: tuple[str, ...]
    beside: tuple[tuple[str, str], ...] = ()


def answer(asked: str) -> str:
    """Return the answer to a question; both are JSON.

    A question has `file`, `text`, `options` (words by name), `more` (a text of words), `beside` (headers by
    name) and `review` (whether the page for reviewers is wanted).
    """
    given = json.loads(asked)
    return json.dumps(_answer(given))


def _answer(given: Mapping[str, Any]) -> dict[str, object]:
    found: dict[str, object] = {}

    def act() -> Outcome:
        question = _question(given)
        found["command"] = shlex.join(["s2sad", "transform", question.file, *question.words])
        options = _options(question.words)
        try:
            done = deep(lambda: _done(question, options))
            shown = deep(lambda: {**_texts(done), **(_review(done) if given["review"] else {})})
        except RecursionError:
            raise Rejected(_too_deep(command("transform", question.file, options))) from None
        finally:
            found["kernels"] = _kernels(question, options)
        found.update(shown)
        return Outcome(product=done.text, diagnostics=done.remarks)

    outcome = cli.caught(act)
    said = messages.in_order(outcome.diagnostics)
    found["status"] = outcome.status
    found["messages"] = messages.page(outcome.diagnostics) + outcome.remarks
    found["places"] = [of_diagnostic(d).to_dict() | _end(d) for d in said if d.span is not None]
    found["codes"] = _explained(said)
    return found


def _question(given: Mapping[str, Any]) -> Question:
    """Read a question. Raises Misused."""
    wrong = []
    if not _NAME.fullmatch(given["file"]):
        help = "letters, digits and one of the suffixes .cu, .cuh and .py"
        wrong.append(usage(f"'{given['file']}' isn't a name for the file", help))
    words = []
    for name, value in given["options"].items():
        if value.strip():
            words += [f"--{name}", value.strip()]
    try:
        words += shlex.split(given["more"])
    except ValueError as error:
        wrong.append(usage(f"the further options: {str(error).lower()}"))
    headers = [name for name in given["beside"] if not _HEADER.fullmatch(name)]
    wrong += [usage(f"'{name}' isn't a name for a header") for name in headers]
    if wrong:
        raise Misused(*wrong)
    return Question(given["file"], given["text"], tuple(words), tuple(given["beside"].items()))


@click.command("transform")
@request_options
def _asked(**given: Any) -> Options:
    """Write the adjoint of a kernel: the options that don't concern output."""
    return request(given)


def _options(words: Sequence[str]) -> Options:
    """Return the options as one value. Raises as Click does, and Misused."""
    found = _asked.main(list(words), prog_name="s2sad transform", standalone_mode=False)
    if not isinstance(found, Options):
        raise Misused(usage("--help prints nothing here", "s2sad transform --help"))
    return found


@lru_cache(maxsize=1)
def _done(question: Question, options: Options) -> Transformed:
    """Return the adjoint; the last one is kept, for the page that may be asked for next."""
    _write(question)
    return transformed(question.file, options)


def _write(question: Question) -> None:
    """Make the question's file and its headers all that is in the working folder."""
    wanted = {question.file: question.text, **dict(question.beside)}
    for path in Path.cwd().iterdir():
        if path.is_file() and path.name not in wanted:
            os.unlink(path)
    for name, text in wanted.items():
        Path(name).write_bytes(text.encode("utf-8", errors="replace"))


def _too_deep(command: str) -> Diagnostic:
    what = "a kernel that nests this deeply, in a browser"
    return diagnose(Code.NOT_SUPPORTED, None, what=what, help=f"elsewhere it isn't too deep: {command}")


def _kernels(question: Question, options: Options) -> list[str]:
    """Return the names by which the file's kernels can be chosen, if there are several."""
    from ..parse import scripts

    try:
        includes = [Path(one) for one in options.includes]
        found = scripts.entries(files.read(question.file), dict(options.defines), includes)
    except (Rejected, RecursionError):
        return []
    return [entry.choice for entry in found] if len(found) >= _KERNELS else []


def _texts(done: Transformed) -> dict[str, object]:
    """Return the emitted text and the plan, each as text and ready to be shown."""
    from .. import pipeline
    from ..review.page import emitted_text
    from ..review.partners import home

    plan = done.adjoint.plan
    runs, partners = emitted_text(done)
    span = done.program.kernel.span
    own = "" if span is None else home(span.source).name
    view = {
        "tables": [
            ("Values that the reverse sweep needs", explain.DECISIONS, explain.decisions(plan)),
            ("Accumulation of adjoints", explain.ACCUMULATIONS, explain.accumulations(plan)),
        ],
        "lists": [
            ("Assumptions", list(dict.fromkeys(plan.assumptions))),
            ("Kinks and singular points", list(dict.fromkeys(plan.kinks))),
        ],
        "explained": pipeline.explained(done),
    }
    return {
        "adjoint": done.text,
        "name": f"{Path(done.source.name).stem}_adj.cu",
        "runs": runs,
        "partners": [{at.line: role for at, role in of.items() if at.file == own} for of in partners],
        "plan": templates("playground").get_template("_plan.html.j2").render(view),
        "of": ",".join(done.options.of),
        "wrt": ",".join(done.options.wrt),
        "check": _check(done),
    }


def _check(done: Transformed) -> str:
    return f"s2sad check {shlex.quote(done.source.name)}"


def _review(done: Transformed) -> dict[str, str]:
    from ..review.checked import Checked
    from ..review.page import page

    return {"review": page(done, Checked(why_not=NOT_CHECKED.format(command=_check(done))))}


def _end(diagnostic: Diagnostic) -> dict[str, object]:
    assert diagnostic.span is not None
    line, column = messages.end_of(diagnostic.span)
    return {"end_line": line, "end_column": column}


def _explained(said: Sequence[Diagnostic]) -> dict[str, str]:
    """Return what `s2sad help` has to say about each code."""
    known = error_index.entries()
    return {d.code.slug: error_index.told(known[d.code.slug]) for d in said if d.code.slug in known}
