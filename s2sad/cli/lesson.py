"""`s2sad lesson`: the chapters and exercises of docs/learn, and marks for answers."""

from __future__ import annotations

import difflib
import os
from typing import Any

import click

from .. import files
from ..diagnostics import Code, Rejected, diagnose
from .arguments import STDOUT_ARGUMENT, request, timeout_problems, usage
from .outcome import DONE, FAILED, Outcome


@click.command()
@click.argument("name", metavar="[NAME | check]", required=False)
@click.argument("file", metavar="[EXERCISE.cu]", required=False)
@click.option(
    "-o", "--output", metavar="OUT.cu", help="Where to write an exercise (default: NAME.cu; -: print)."
)
@click.option("--answer", is_flag=True, help="Print the reference answer of exercise NAME.")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, metavar="S", help="Time limit of a launch, in seconds (default: 10).")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON on standard error.")
def lesson(
    name: str | None,
    file: str | None,
    output: str | None,
    answer: bool,
    backend: Any,
    timeout: float | None,
    as_json: bool,
) -> Outcome:
    """Learn to write adjoints by hand: ten chapters, each with exercises.

    \b
    s2sad lesson                    list the chapters and their exercises
    s2sad lesson overwriting        print a chapter
    s2sad lesson square             write an exercise to square.cu
    s2sad lesson check square.cu    mark what you wrote into its gaps, with a hint
    """
    wrong = timeout_problems(timeout)
    if file is not None and name != "check":
        wrong.append(
            usage(f"unexpected argument {file}", "s2sad lesson NAME, or s2sad lesson check EXERCISE.cu")
        )
    if name == "check" and file is None:
        wrong.append(usage("which file is to be marked?", "s2sad lesson check EXERCISE.cu"))
    if output is not None and (name in (None, "check") or answer):
        wrong.append(usage("-o is for writing an exercise", "s2sad lesson NAME -o OUT.cu"))
    if output == "":
        wrong.append(usage("-o '' isn't a file name"))
    if answer and name in (None, "check"):
        wrong.append(usage("--answer needs the name of an exercise", "s2sad lesson NAME --answer"))
    request({}, *wrong)
    if name is None:
        return _listed()
    if name == "check":
        assert file is not None
        return _marked(file, backend, timeout)
    return _shown(name, output, answer)


def _listed() -> Outcome:
    from ..learn import lessons

    known = lessons.chapters()
    width = max(len(name) for name in (*lessons.exercises(), *(chapter.name for chapter in known)))
    lines = []
    for chapter in known:
        lines.append(f"{chapter.number:2}  {chapter.name:{width + 2}}  {chapter.title}\n")
        lines += [f"      {one.name:{width}}  {one.task}\n" for one in chapter.exercises]
    return Outcome(
        product="".join(lines),
        data={
            "chapters": [
                {
                    "number": chapter.number,
                    "name": chapter.name,
                    "title": chapter.title,
                    "exercises": [{"name": one.name, "task": one.task} for one in chapter.exercises],
                }
                for chapter in known
            ]
        },
    )


def _shown(name: str, output: str | None, answer: bool) -> Outcome:
    """Print a chapter, or write an exercise; a file that is there stays. Raises Rejected."""
    from ..learn import lessons, scripts

    exercise = lessons.exercises().get(name)
    chapter = next((one for one in lessons.chapters() if name in (one.name, one.file, str(one.number))), None)
    if exercise is None and chapter is not None and output is None and not answer:
        where = f"the notebook and its kernel are in {chapter.script.parent}\n"
        return Outcome(product=scripts.as_markdown(chapter.script), remarks=where)
    if exercise is None:
        known = [*lessons.exercises(), *([] if answer or output else [c.name for c in lessons.chapters()])]
        what = f"there is no exercise {name}" if answer or output else f"there is no lesson {name}"
        raise Rejected(diagnose(Code.NO_SUCH_LESSON, None, what=what, help=_near(name, known)))
    if answer:
        return Outcome(product=exercise.answer)
    if output == STDOUT_ARGUMENT:
        return Outcome(product=exercise.text)
    path = output or f"{name}.cu"
    if os.path.lexists(path):
        raise Rejected(diagnose(Code.WOULD_OVERWRITE, None, file=path))
    files.replace(path, exercise.text)
    said = f"wrote {path}: fill its gaps, then `s2sad lesson check {path}`\n"
    return Outcome(remarks=said, data={"written": path})


def _marked(file: str, backend: Any, timeout: float | None) -> Outcome:
    """Mark an answer. Raises Rejected if it isn't an exercise, or doesn't compile."""
    from ..learn import lessons, marking

    source = files.read(file)
    exercise = lessons.exercise_of(source.text, source.name)
    if exercise is None:
        what = f"{source.name} doesn't say which exercise it is"
        help = "its first line is that of the exercise: // Exercise square: …"
        raise Rejected(diagnose(Code.NO_SUCH_LESSON, None, what=what, help=help))
    mark = marking.mark(exercise, source, backend, timeout or marking.TIMEOUT)
    entry = mark.entry()
    return Outcome(
        DONE if mark.right else FAILED,
        remarks=marking.page(mark),
        data={
            "exercise": exercise.name,
            "right": mark.right,
            "hint": mark.hint.to_dict() if mark.hint else None,
            "report": mark.report.to_dict() if mark.report else None,
        },
        entries=lambda: (entry,) if entry else (),
        about=file,
    )


def _near(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.5)
    return f"did you mean {near[0]}" if near else "to list them: s2sad lesson"
