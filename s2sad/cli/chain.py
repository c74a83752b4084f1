"""`s2sad chain`: the gradient of a whole simulation, checked or as a host program."""

from __future__ import annotations

from typing import Any

import click

from .. import files
from ..diagnostics import Code, Rejected, diagnose
from .arguments import STDOUT_ARGUMENT, output_problems, usage
from .outcome import DONE, FAILED, Misused, Outcome


@click.command()
@click.argument("file", metavar="FILE.toml")
@click.option("--check", is_flag=True, help="Run the chain and check its gradient; exit 1 if it is wrong.")
@click.option("-o", "--output", metavar="OUT.cu", help="The output file (default, or -: standard output).")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, default=60.0, metavar="S", help="Time limit of a launch, in seconds.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object on standard error.")
def chain(file: str, check: bool, output: str | None, backend: Any, timeout: float, as_json: bool) -> Outcome:
    """Write a host program that runs a chain of launches and goes back for its gradient.

    FILE.toml has launches, swaps and loops, and the arrays to differentiate. With --check nothing is
    written but to OUT.cu, and that only if the gradient is right.
    """
    wrong = output_problems(file, output, ())
    if file == "-":
        wrong.append(usage("a chain's kernels are beside its file: standard input has no place"))
    if not timeout > 0:
        wrong.append(usage(f"--timeout {timeout:g}: not a positive number", "--timeout SECONDS"))
    if wrong:
        raise Misused(*wrong)
    output = None if output == STDOUT_ARGUMENT else output
    if output is not None and files.same(file, output):
        raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=file, suggestion="another file"))
    from ..chain import Chain

    made = Chain.from_toml(file)
    if not check:
        return _written(made, output)
    return _checked(made, output, backend, timeout)


def _written(made: Any, output: str | None) -> Outcome:
    text = made.source()
    if output is None:
        return Outcome(product=text, diagnostics=made.remarks)
    files.replace(output, text)
    return Outcome(diagnostics=made.remarks)


def _checked(made: Any, output: str | None, backend: Any, timeout: float) -> Outcome:
    from ..chain.checking import check
    from ..run.isolated import Isolated

    with Isolated(backend, timeout) as apart:
        report = check(made, apart)
    if report.ok and output is not None:
        files.replace(output, made.source())
    return Outcome(
        DONE if report.ok else FAILED,
        remarks=report.text(),
        diagnostics=made.remarks,
        data={"report": report.to_dict()},
    )
