"""`s2sad chain`: the gradient of a whole simulation, checked or as a host program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from .. import files
from ..diagnostics import Code, Rejected, diagnose
from .arguments import STDOUT_ARGUMENT, output_problems, request, timeout_problems, usage
from .outcome import DONE, FAILED, Outcome


@click.command()
@click.argument("file", metavar="FILE.toml|FILE.cu")
@click.option("--check", is_flag=True, help="Run the chain and check its gradient; exit 1 if it is wrong.")
@click.option("-o", "--output", metavar="OUT.cu", help="The output file (default, or -: standard output).")
@click.option("--backend", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True)
@click.option("--timeout", type=float, default=60.0, metavar="S", help="Time limit of a launch, in seconds.")
@click.option("--of", multiple=True, metavar="Y,…", help="With FILE.cu: the arrays that are seeded.")
@click.option("--wrt", multiple=True, metavar="X,…", help="With FILE.cu: what to differentiate by.")
@click.option("--function", default="", metavar="F", help="With FILE.cu: the function with the launches.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object on standard error.")
def chain(
    file: str,
    check: bool,
    output: str | None,
    backend: Any,
    timeout: float,
    of: tuple[str, ...],
    wrt: tuple[str, ...],
    function: str,
    as_json: bool,
) -> Outcome:
    """Write a host program that runs a chain of launches and goes back for its gradient.

    FILE.toml has launches, swaps and loops, and the arrays to differentiate. With --check nothing is
    written but to OUT.cu, and that only if the gradient is right.
    From FILE.cu a draft of FILE.toml is made, if a function of it has plain launches, std::swap and loops.
    """
    wrong = output_problems(file, output, ())
    if file == "-":
        wrong.append(usage("a chain's kernels are beside its file: standard input has no place"))
    wrong += timeout_problems(timeout)
    drafting = not file.endswith(".toml")
    if drafting and check:
        wrong.append(usage("--check takes a chain, FILE.toml"))
    if not drafting and (of or wrt or function):
        wrong.append(usage("--of, --wrt and --function are for FILE.cu; FILE.toml says itself"))
    asked = request({"of": of, "wrt": wrt}, *wrong)
    output = None if output == STDOUT_ARGUMENT else output
    if output is not None and files.same(file, output):
        raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=file, suggestion="another file"))
    from ..chain import Chain

    if drafting:
        from ..chain.chain import from_host_code

        return _given(from_host_code(file, asked.of, asked.wrt, function), output)
    made = Chain.from_toml(file)
    if not check:
        return _written(made, output)
    return _checked(file, made, output, backend, timeout)


def _written(made: Any, output: str | None) -> Outcome:
    return replace(_given(made.source(), output), diagnostics=made.remarks)


def _given(text: str, output: str | None) -> Outcome:
    if output is None:
        return Outcome(product=text)
    files.replace(output, text)
    return Outcome()


def _checked(file: str, made: Any, output: str | None, backend: Any, timeout: float) -> Outcome:
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
        entries=lambda: report.entries(file),
    )
