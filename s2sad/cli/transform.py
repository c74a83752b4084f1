"""`s2sad transform`, `explain` and `kernels`: show or write the results of the pipeline."""

from __future__ import annotations

import difflib
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import emitted_header, files, passes
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..entries import of_diagnostic
from ..options import Options, command
from .arguments import STDOUT_ARGUMENT, output_problems, request, request_options, usage
from .outcome import DONE, FAILED, Outcome

if TYPE_CHECKING:
    from ..pipeline import Candidate, Transformed


@click.command()
@click.argument("file", metavar="FILE.cu")
@request_options
@click.option(
    "-o",
    "--output",
    metavar="OUT.cu",
    help="The output file, replaced atomically (default, or -: standard output).",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if OUT.cu is not up to date.")
@click.option(
    "--diff", is_flag=True, help="Write nothing; show the difference between OUT.cu and the new output."
)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object on standard error instead of messages."
)
@click.option("--dump-after", metavar="PASS|all", help="Print the IR after a pass, on standard error.")
@click.option("--dump-dir", metavar="DIR", help="Write the dumps of --dump-after as files to this folder.")
@click.option("--verify", is_flag=True, help="Check after each pass that the IR is well formed.")
def transform(
    file: str,
    output: str | None,
    check: bool,
    diff: bool,
    as_json: bool,
    dump_after: str | None,
    dump_dir: str | None,
    verify: bool,
    **given: Any,
) -> Outcome:
    """Write the adjoint of a kernel.

    FILE.cu may be `-`, or a Python script with the kernel in a string. Without --of and --wrt, the names are
    read from the source, else inferred from the signature. --check and --diff take the options that OUT.cu
    was made with; those given here come first.
    """
    compared = [flag for flag, on in (("--check", check), ("--diff", diff)) if on]
    problems = output_problems(file, output, compared)
    if len(compared) > 1:
        problems.append(usage("--check and --diff exclude each other"))
    runner, dump = passes.Runner(), passes.Dump(frozenset(filter(None, (dump_after,))))
    if dump_after is not None:
        from ..pipeline import PASSES

        if dump_after not in (passes.ALL, *PASSES):
            problems.append(usage(f"--dump-after takes all or a pass: {', '.join(PASSES)}"))
    elif dump_dir is not None:
        problems.append(usage("--dump-dir needs --dump-after"))
    if verify:
        runner = runner.with_(passes.verify)
    if dump_after is not None:
        runner = runner.with_(dump)
    options = request(given, *problems)
    output = None if output == STDOUT_ARGUMENT else output
    if compared and output is not None:
        options = options.over(emitted_header.options_of(files.content(output) or "", file))
    if output is not None and files.same(file, output):
        raise Rejected(diagnose(Code.OUTPUT_IS_INPUT, None, file=file, suggestion="another file"))
    try:
        done = transformed(file, options, runner)
    except Rejected:
        raise
    except Exception:  # ours: what is dumped may show why
        _write(dump, dump_dir)
        raise
    _write(dump, dump_dir)
    outcome = Outcome(diagnostics=done.remarks, data=_described(done))
    if output is None:
        return replace(outcome, product=done.text)
    if check or diff:
        return _compared(outcome, done, output, show=diff)
    files.replace(output, done.text)
    return outcome


def _write(dump: passes.Dump, folder: str | None) -> None:
    """Write the dumped IR to a folder, else to standard error."""
    if folder is not None:
        dump.write(Path(folder))
    elif dump.found:
        click.echo(dump.text, err=True)


@click.command()
@click.argument("file", metavar="FILE.cu")
@request_options
@click.option("--facts", is_flag=True, help="Also show the analysis results that the plan is based on.")
@click.option("--plan-only", is_flag=True, help="Only the decisions; the adjoint is not generated.")
@click.option("--html", metavar="OUT.html", help="A page: see s2sad review.")
@click.option("--json", "as_json", is_flag=True, help="The plan as JSON on standard error.")
def explain(
    file: str, facts: bool, plan_only: bool, html: str | None, as_json: bool, **given: Any
) -> Outcome:
    """Show what is recorded, recomputed and accumulated, and why; then the adjoint with its reasons."""
    page = f"s2sad review {file} -o {html or 'OUT.html'}"
    options = request(given, *([usage("explain writes no page", page)] if html is not None else []))
    from .. import pipeline

    if plan_only:
        decided = pipeline.decide(files.read(file), options)
        text, remarks, found = pipeline.explained_plan(decided), decided.remarks, decided.facts
        data: dict[str, object] = {
            "kernel": decided.program.kernel.name,
            "command": decided.command,
            "plan": decided.plan.to_dict(),
        }
    else:
        done = pipeline.transform(files.read(file), options)
        from ..covering import covering

        saving = covering(done)
        text = pipeline.explained(done, "" if saving is None else saving.text())
        remarks, found = done.remarks, done.adjoint.facts
        data = {**_described(done), "covering": None if saving is None else asdict(saving)}
    if facts:
        text = f"{text}\n{pipeline.facts(found)}"
        data["facts"] = [{"title": t.title, "columns": t.columns, "rows": t.rows} for t in found]
    return Outcome(product=text, diagnostics=remarks, data=data)


@click.command()
@click.argument("file", metavar="FILE.cu")
@click.option("-D", "--define", multiple=True, metavar="NAME=VALUE", help="A macro, as in nvcc -D.")
@click.option("-I", "--include", multiple=True, metavar="PATH", help="An #include folder or a source file.")
@click.option("--json", "as_json", is_flag=True, help="The list as JSON on standard error.")
def kernels(file: str, as_json: bool, define: tuple[str, ...], include: tuple[str, ...]) -> Outcome:
    """List the kernels of a file, and whether each can be differentiated, with the reason if not."""
    options = request({"define": define, "include": include})
    from .. import pipeline

    source = files.read(file)
    found = pipeline.kernels(source, options)
    if not found:
        raise Rejected(
            diagnose(Code.NO_KERNEL, None, file=source.name, help="a kernel is a __global__ function")
        )
    text = "\n".join(_listed(kernel, file) for kernel in found)
    return Outcome(
        product=text,
        data={"kernels": [_candidate(kernel, file) for kernel in found]},
        entries=lambda: tuple(of_diagnostic(d, file) for kernel in found for d in kernel.diagnostics),
    )


def transformed(file: str, options: Options, runner: passes.Runner = passes.PLAIN) -> Transformed:
    """Return the adjoint of a kernel in a file. Raises Rejected, with advice that concerns the file."""
    from .. import pipeline

    try:
        return pipeline.transform(files.read(file), options, runner)
    except Rejected as rejected:
        raise Rejected(*rejected.diagnostics, *_elsewhere(file, options, rejected)) from None


_UNDECLARED = (Code.UNKNOWN_NAME, Code.UNKNOWN_TYPE, Code.UNKNOWN_FUNCTION)


def _elsewhere(file: str, options: Options, rejected: Rejected) -> list[Diagnostic]:
    """If a file lacks names and another one beside it includes it, suggest that one."""
    if all(d.code not in _UNDECLARED for d in rejected.diagnostics):
        return []
    return [
        diagnose(
            Code.INCLUDED_ELSEWHERE,
            None,
            file=Path(file).name,
            other=other.name,
            command=command("transform", str(other), options),
        )
        for other in files.includers(Path(file))[:1]
    ]


def _compared(outcome: Outcome, done: Transformed, output: str, show: bool) -> Outcome:
    """Compare the file on disk with what would be written."""
    old = files.content(output) or ""
    if old == done.text and files.content(output) is not None:
        return outcome
    if show:
        lines = difflib.unified_diff(
            old.splitlines(keepends=True),
            done.text.splitlines(keepends=True),
            output,
            "what would be written",
        )
        text = "".join(_ended(line) for line in lines)
        return replace(outcome, status=DONE, remarks=text, data={**outcome.data, "diff": text})
    stale = diagnose(
        Code.STALE,
        None,
        file=output,
        command=done.adjoint.command,
        line=str(_first_difference(old, done.text)),
    )
    return replace(outcome, status=FAILED, diagnostics=(*outcome.diagnostics, stale), about=output)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n"


def _first_difference(old: str, new: str) -> int:
    pairs = zip(old.splitlines(), new.splitlines(), strict=False)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
    return (min(len(old.splitlines()), len(new.splitlines())) if same is None else same) + 1


def _described(done: Transformed) -> dict[str, object]:
    """Return the description of an adjoint for machines."""
    adjoint = done.adjoint
    found: dict[str, object] = {
        "kernel": done.program.kernel.name,
        "adjoint": adjoint.kernel.name,
        "command": adjoint.command,
        "signature": adjoint.signature.to_dict(),
        "plan": adjoint.plan.to_dict(),
    }
    if adjoint.forward_signature is not None:
        found["forward_signature"] = adjoint.forward_signature.to_dict()
    if adjoint.measure_signature is not None:
        found["measure_signature"] = adjoint.measure_signature.to_dict()
    return found


def _listed(kernel: Candidate, file: str) -> str:
    head = f"{kernel.name}({kernel.parameters})  line {kernel.line}\n"
    if kernel.options is not None:
        return head + f"    {_command(kernel, file)}\n"
    reasons = [d for d in kernel.diagnostics if d.severity == "error"]
    return head + "".join(f"    no: {d.title}{f' (line {d.span.line})' if d.span else ''}\n" for d in reasons)


def _candidate(kernel: Candidate, file: str) -> dict[str, object]:
    from ..messages import to_dict

    return {
        "name": kernel.name,
        "line": kernel.line,
        "parameters": kernel.parameters,
        "differentiable": kernel.options is not None,
        "command": _command(kernel, file) if kernel.options else None,
        "diagnostics": [to_dict(d) for d in kernel.diagnostics],
    }


def _command(kernel: Candidate, file: str) -> str:
    assert kernel.options is not None
    return command(
        "transform", file, Options(kernel=kernel.choice, of=kernel.options.of, wrt=kernel.options.wrt)
    )
