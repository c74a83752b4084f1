"""`s2sad audit`: is this backward kernel right?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from .. import files
from ..diagnostics import Code, Rejected, diagnose
from .arguments import request, timeout_problems, usage
from .check import progress_line, verdict
from .outcome import Outcome


@click.command()
@click.argument("forward", metavar="FORWARD.cu")
@click.argument("backward", metavar="BACKWARD.cu")
@click.option("--case", metavar="CASE.toml", help="The case file (default: NAME.toml beside NAME.cu).")
@click.option("-D", "--define", multiple=True, metavar="NAME=VALUE", help="A macro, as in nvcc -D.")
@click.option("-I", "--include", multiple=True, metavar="DIR", help="A folder for #include.")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, default=None, metavar="S", help="Time limit of a launch, in seconds.")
@click.option("--require-coverage", is_flag=True, help="Fail if a line or a side of a condition never ran.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object on standard error.")
def audit(
    forward: str,
    backward: str,
    case: str | None,
    define: tuple[str, ...],
    include: tuple[str, ...],
    backend: Any,
    timeout: float | None,
    require_coverage: bool,
    as_json: bool,
) -> Outcome:
    """Check a backward kernel from any source.

    Both files are compiled unchanged, so templates, classes and accessors are allowed. Parameters are matched
    by name (adj_x, grad_x, dx, x_grad); for other names, use [names] in the case file. Both kernels may be
    in one file.
    """
    wrong = timeout_problems(timeout)
    if forward == "-" and backward == "-":
        wrong.append(usage("standard input can't be both files"))
    if forward == "-" and case is None:
        wrong.append(usage("standard input has no case file beside it", "--case CASE.toml"))
    options = request({"define": define, "include": include}, *wrong)
    from .. import auditing

    first, second = files.read(forward), files.read(backward)
    path = case or auditing.case_beside(forward)
    if path is None:
        raise Rejected(
            diagnose(Code.NO_CASE, None, file=forward, command=f"s2sad case {forward} {backward} --search")
        )
    includes = [Path(folder) for folder in options.includes]
    job = auditing.prepare(first, second, path, dict(options.defines), includes)
    report = auditing.judge(job, backend, timeout or auditing.TIMEOUT, progress_line(as_json))
    found = verdict(report, places=job.places, require_coverage=require_coverage)
    return replace(found, about=backward)
