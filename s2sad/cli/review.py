"""`s2sad review`: a page on one adjoint, for the person who decides whether it is right; or two commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from .. import files
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..options import Options
from .arguments import STDOUT_ARGUMENT, output_problems, request, request_options, timeout_problems, usage
from .outcome import DONE, FAILED, MISSING_TOOL, MISUSED, Outcome


@dataclass(frozen=True)
class Asked:
    """The options of the command besides those of the transformation."""

    output: str | None
    case: str | None
    no_check: bool
    compare: str | None
    backend: Any
    timeout: float | None
    serve: bool
    port: int | None
    git: str | None


@click.command()
@click.argument("paths", metavar="FILE.cu", nargs=-1)
@request_options
@click.option(
    "-o",
    "--output",
    metavar="OUT.html",
    help="The page, replaced atomically (default, or -: standard output).",
)
@click.option("--case", metavar="CASE.toml", help="Check on this case (default: NAME.toml beside NAME.cu).")
@click.option("--no-check", is_flag=True, help="Don't check, even if a case file is beside FILE.cu.")
@click.option("--compare", metavar="OLD_adj.cu", help="Show what changed since this adjoint.")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, default=None, metavar="S", help="Time limit of a launch, in seconds.")
@click.option("--serve", is_flag=True, help="Serve the page; it is drawn anew when a file is saved.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="The port of --serve (default: any)."
)
@click.option(
    "--git",
    metavar="BASE..HEAD",
    help="What these commits change in the adjoints of the files, or of all, and which adjoints are stale.",
)
@click.option("--json", "as_json", is_flag=True, help="Messages as one JSON object on standard error.")
def review(
    paths: tuple[str, ...],
    output: str | None,
    case: str | None,
    no_check: bool,
    compare: str | None,
    backend: Any,
    timeout: float | None,
    serve: bool,
    port: int | None,
    git: str | None,
    as_json: bool,
    **given: Any,
) -> Outcome:
    """Write a page for reviewing an adjoint: primal and adjoint side by side, with every reason.

    The page is one HTML file that loads nothing. With a case, it shows the result of `check`, and which lines
    and sides of conditions never ran. If the check fails, the page is written all the same, with status 1.

    With --serve, the page has the options that choose how values are recovered, each with its cost.

    With --git, list the kernels whose adjoint or plan two commits change, the adjoints in the repository that
    are stale, and what the check says. FILE.cu may then be several files and folders; without any it is all.
    """
    asked = Asked(output, case, no_check, compare, backend, timeout, serve, port, git)
    if git is not None:
        return _between(paths, asked, git, given)
    problems = _problems(paths, asked)
    options = request(given, *problems)
    file = paths[0]
    output = None if output == STDOUT_ARGUMENT else output
    for name in (file, case, compare):
        if output is not None and name is not None and files.same(name, output):
            raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=name, suggestion="another file"))
    if serve:
        return _served(file, options, asked)
    return _page(file, options, replace(asked, output=output))


def _problems(paths: Sequence[str], asked: Asked) -> list[Diagnostic]:
    """Return what is wrong with a command line that asks for a page."""
    if len(paths) != 1:
        what = "a page is of one kernel's file" if paths else "missing argument FILE.cu"
        return [usage(what, "s2sad review FILE.cu, or s2sad review --git BASE..HEAD")]
    found = output_problems(paths[0], asked.output, ()) + timeout_problems(asked.timeout)
    if paths[0] == asked.compare == "-":
        found.append(usage("standard input can't be both files"))
    if asked.no_check and asked.case is not None:
        found.append(usage("--case and --no-check exclude each other"))
    if asked.port is not None and not asked.serve:
        found.append(usage("--port needs --serve"))
    if asked.serve and asked.output is not None:
        found.append(
            usage("--serve and -o exclude each other", "s2sad review FILE.cu -o OUT.html writes a file")
        )
    if asked.serve and "-" in (paths[0], asked.compare):
        found.append(usage("--serve draws the page anew when a file is saved, and standard input is none"))
    return found


def _page(file: str, options: Options, asked: Asked) -> Outcome:
    from .. import reviewing
    from ..validate import entries

    source = files.read(file)
    old = None if asked.compare is None else files.read(asked.compare)
    on = reviewing.Case(why_not="--no-check") if asked.no_check else reviewing.Case.of(file, asked.case)
    made = reviewing.made(source, options, on, old, asked.backend, asked.timeout)
    report = made.report
    outcome = Outcome(
        FAILED if report is not None and not report.ok else DONE,
        diagnostics=made.remarks,
        remarks=made.verdict,
        data=made.data,
        entries=lambda: () if report is None else entries.of(report, made.places),
        about=file,
    )
    if asked.output is None:
        return replace(outcome, product=made.text)
    files.replace(asked.output, made.text)
    return outcome


def _served(file: str, options: Options, asked: Asked) -> Outcome:
    """Serve the page until Ctrl+C; its address is all that is printed on standard output."""
    from ..serving import Subject, serve

    def started(address: str) -> None:
        click.echo(address)
        click.echo(f"serving the review of {file}; Ctrl+C ends it", err=True)

    more = (asked.case, asked.no_check, asked.compare, asked.backend, asked.timeout)
    serve(Subject(file, options, *more), asked.port or 0, started)
    return Outcome()


def _between(paths: Sequence[str], asked: Asked, range: str, given: Mapping[str, Any]) -> Outcome:
    """Compare two commits."""
    from ..review import between, commits

    problems = timeout_problems(asked.timeout)
    if not commits.is_range(range):
        problems.append(usage(f"--git {range}: not a range of commits", f"--git {range or 'BASE'}..HEAD"))
    flags = ("output", "case", "compare", "serve", "port")
    more = ["-o" if flag == "output" else f"--{flag}" for flag in flags if getattr(asked, flag)]
    problems += [usage(f"--git and {flag} exclude each other") for flag in more]
    if request(given, *problems) != Options():
        help = "each adjoint is made by the command in its header; others by their case or their source"
        return Outcome(MISUSED, diagnostics=(usage("--git takes no options of the transformation", help),))
    check = None if asked.no_check else between.judge(asked.backend, asked.timeout)
    try:
        found = between.between(commits.read(range), paths, check)
    except commits.NoGit as missing:
        said = diagnose(Code.MISSING_TOOL, None, what=str(missing))
        return Outcome(MISSING_TOOL, diagnostics=(said,), data={"missing": str(missing)})
    return Outcome(
        found.status,
        product=found.text,
        diagnostics=found.refusals,
        data=found.to_dict(),
        entries=found.entries,
    )
