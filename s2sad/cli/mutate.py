"""`s2sad mutate`: a realistic fault in an adjoint, for a reviewer to find."""

from __future__ import annotations

from pathlib import Path

import click

from .. import emitted_header, files
from ..diagnostics import Code, Rejected, diagnose
from ..entries import Entry, Place
from ..source import Source
from .arguments import STDOUT_ARGUMENT, output_problems, request, timeout_problems, usage
from .outcome import Outcome

_TRIES = 12


@click.command()
@click.argument("file", metavar="FILE_adj.cu")
@click.option("-o", "--output", metavar="OUT.cu", help="The output file (default, or -: standard output).")
@click.option("--primal", metavar="FILE.cu", help="The kernel (default: the file that the header names).")
@click.option("--seed", type=int, default=0, show_default=True, help="Which fault, if there are several.")
@click.option("--reveal", is_flag=True, help="Name the fault of FILE_adj.cu instead of planting one.")
@click.option("--timeout", type=float, default=60.0, metavar="S", help="Time limit of a launch, in seconds.")
def mutate(
    file: str, output: str | None, primal: str | None, seed: int, reveal: bool, timeout: float
) -> Outcome:
    """Plant a fault in an adjoint, as an exercise: find it, then --reveal it.

    The fault is one that hands make, in one line, and `s2sad check` sees it on the kernel's case, or on a
    draft. FILE_adj.cu is a file that s2sad wrote, beside its kernel.
    """
    wrong = [*output_problems(file, output, ()), *timeout_problems(timeout)]
    if file == STDOUT_ARGUMENT:
        wrong.append(usage("the kernel is looked for beside the file: standard input has no place"))
    if reveal and output is not None:
        wrong.append(usage("--reveal writes no file"))
    request({}, *wrong)
    output = None if output == STDOUT_ARGUMENT else output
    source = files.read(file)
    if output is not None and files.same(file, output):
        raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=file, suggestion="another file"))
    kernel = primal or _named(file, source.text)
    if reveal:
        return _revealed(kernel, source.text, file)
    text = _planted(kernel, source, seed, timeout)
    if output is None:
        return Outcome(product=text)
    files.replace(output, text)
    return Outcome(remarks=f"{output} has a fault: find it, then `s2sad mutate {output} --reveal`\n")


def _named(file: str, text: str) -> str:
    """Return the kernel's file, which the header names. Raises Rejected."""
    name = emitted_header.primal_of(text)
    if not emitted_header.is_ours(text) or name is None:
        what = "a fault in a file that s2sad didn't write"
        help = "give an emitted file: s2sad transform FILE.cu -o FILE_adj.cu"
        raise Rejected(diagnose(Code.NOT_SUPPORTED, None, what=what, help=help))
    return str(Path(file).parent / name)


def _planted(kernel: str, source: Source, seed: int, timeout: float) -> str:
    """Return the text with the first fault that the check sees. Raises Rejected."""
    from .. import checking, pipeline
    from ..learn import mutation

    done = pipeline.transform(files.read(kernel), emitted_header.options_of(source.text, kernel))
    case = checking.case_beside(kernel)
    for fault in mutation.shuffled(source.text, seed)[:_TRIES]:
        text = fault.applied(source.text)
        try:
            jobs = checking.jobs(done, case, Source(source.name, text))
            if any(checking.judge(job, "auto", timeout).wrong for job in jobs):
                return text
        except Rejected:
            continue  # it doesn't compile
    what = "an adjoint without a line in which a fault would show"
    help = "give the kernel a case file on which its gradient isn't zero: s2sad case FILE.cu --search"
    raise Rejected(diagnose(Code.NOT_SUPPORTED, None, what=what, help=help))


def _revealed(kernel: str, text: str, file: str) -> Outcome:
    """Compare the text with a fresh adjoint, and say what is wrong and why."""
    from .. import pipeline
    from ..learn import mutation

    options = emitted_header.options_of(text, kernel)
    right = pipeline.transform(files.read(kernel), options).text
    fault = mutation.planted(right, text)
    if fault is None:
        same = "has no fault" if right == text else "differs from the adjoint by more than one planted fault"
        return Outcome(product=f"{file} {same}\n")
    now = "(the line is gone)" if fault.new is None else fault.new.strip()
    return Outcome(
        product=f"{file}:{fault.line}: {fault.what}\n"
        f"    is         {now}\n"
        f"    should be  {fault.old.strip()}\n"
        f"{fault.why}\n",
        entries=lambda: (Entry("error", "planted-fault", fault.what, Place(file, fault.line), fault.why),),
        data={"line": fault.line, "is": fault.new, "should_be": fault.old, "what": fault.what},
    )
