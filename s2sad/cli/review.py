"""`s2sad review`: a page on one adjoint, for the person who decides whether it is right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from .. import files
from ..diagnostics import Code, Rejected, diagnose
from .arguments import (
    STDOUT_ARGUMENT,
    not_built,
    output_problems,
    request,
    request_options,
    timeout_problems,
    usage,
)
from .outcome import DONE, FAILED, Outcome


@click.command()
@click.argument("file", metavar="FILE.cu")
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
@click.option("--serve", is_flag=True, help="Not implemented yet.")
@click.option("--git", metavar="BASE..HEAD", help="Not implemented yet.")
@click.option("--json", "as_json", is_flag=True, help="Messages as one JSON object on standard error.")
def review(
    file: str,
    output: str | None,
    case: str | None,
    no_check: bool,
    compare: str | None,
    backend: Any,
    timeout: float | None,
    serve: bool,
    git: str | None,
    as_json: bool,
    **given: Any,
) -> Outcome:
    """Write a page for reviewing an adjoint: primal and adjoint side by side, with every reason.

    The page is one HTML file that loads nothing. With a case, it shows the result of `check`, and which lines
    and sides of conditions never ran. If the check fails, the page is written all the same, with status 1.
    """
    problems = output_problems(file, output, ())
    problems += [not_built(flag) for flag, on in (("--serve", serve), ("--git", git is not None)) if on]
    problems += timeout_problems(timeout)
    if file == compare == "-":
        problems.append(usage("standard input can't be both files"))
    if no_check and case is not None:
        problems.append(usage("--case and --no-check exclude each other"))
    options = request(given, *problems)
    output = None if output == STDOUT_ARGUMENT else output
    for name in (file, case, compare):
        if output is not None and name is not None and files.same(name, output):
            raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=name, suggestion="another file"))
    from .. import reviewing
    from ..validate import entries

    source = files.read(file)
    old = None if compare is None else files.read(compare)
    on = reviewing.Case(why_not="--no-check") if no_check else reviewing.Case.of(file, case)
    made = reviewing.made(source, options, on, old, backend, timeout)
    report = made.report
    outcome = Outcome(
        FAILED if report is not None and not report.ok else DONE,
        diagnostics=made.remarks,
        remarks=made.verdict,
        data=made.data,
        entries=lambda: () if report is None else entries.of(report, made.places),
        about=file,
    )
    if output is None:
        return replace(outcome, product=made.text)
    files.replace(output, made.text)
    return outcome
