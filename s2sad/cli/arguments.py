"""The options that several commands share, and their validation.

Errors reported here are decidable from the command line alone, and all are
reported at once. An option of the interface that isn't implemented yet is
rejected by name, never ignored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from .. import options
from ..diagnostics import Code, Diagnostic, diagnose
from ..options import HESSIANS, MODES, NAMES, SKINS, SUMS, Options, Unclear
from .outcome import Misused

Command = TypeVar("Command", bound=Callable[..., Any])
Value = TypeVar("Value")
STDOUT_ARGUMENT = "-"


def request_options(command: Command) -> Command:
    """Add the options that specify the derivative: kernel, names, mode, the user's assumptions."""
    decorators = [
        click.option(
            "--kernel",
            metavar="K",
            help="The kernel, if the file has several; to disambiguate, space::K, K@LINE or K@FILE:LINE.",
        ),
        click.option("--of", multiple=True, metavar="Y,…", help="Dependents: the outputs to differentiate."),
        click.option("--wrt", multiple=True, metavar="X,…", help="Independents: the inputs."),
        click.option(
            "--mode",
            type=click.Choice(["joint", "split", "tangent", "second-order"]),
            help="joint (default): one kernel for both sweeps. split: K_fwd records, K_adj reverses.",
        ),
        click.option(
            "--directions",
            metavar="N",
            help="With --mode tangent or second-order: N tangents of each number, in one launch (1 to 64).",
        ),
        click.option(
            "--hessian",
            type=click.Choice(["diag", "dense"]),
            help="Of --mode second-order: the diagonal by one launch; or N columns (--directions).",
        ),
        click.option(
            "--seeds",
            metavar="N",
            help="N adjoints of each number, side by side, from N seeds in one launch (1 to 64).",
        ),
        click.option(
            "--names",
            type=click.Choice(["adj", "grad"]),
            help="The prefix of adjoint variables (default: adj).",
        ),
        click.option(
            "--skin",
            type=click.Choice(["plain", "lesson"]),
            help="`lesson` explains every statement of the reverse sweep: formula, rule, reasons.",
        ),
        click.option(
            "--accumulate",
            type=click.Choice(["fastest", "deterministic"]),
            help="deterministic: no sum may depend on the order of threads; such a kernel is refused.",
        ),
        click.option("-D", "--define", multiple=True, metavar="NAME=VALUE", help="A macro, as in nvcc -D."),
        click.option(
            "-I", "--include", multiple=True, metavar="PATH", help="An #include folder or a source file."
        ),
        click.option("--rules", multiple=True, metavar="FILE.toml", help="More derivative rules."),
        click.option("--store", multiple=True, metavar="V,…", help="Put these variables on the tape."),
        click.option("--recompute", multiple=True, metavar="V,…", help="Keep these variables off the tape."),
        click.option("--bound", multiple=True, metavar="LINE=EXPR", help="Maximum trip count of that loop."),
        click.option(
            "--forward",
            multiple=True,
            metavar="LINE",
            help="Carry tangents through that loop, without a tape.",
        ),
        click.option(
            "--reverse", multiple=True, metavar="LINE", help="Reverse that loop; carry no tangents."
        ),
        click.option(
            "--assume", multiple=True, metavar="injective:IDX", help="A fact that the analysis can't prove."
        ),
        click.option(
            "--companion",
            is_flag=True,
            help="Emit only the adjoint, to be included after FILE.cu in one translation unit.",
        ),
        click.option(
            "--keep-template",
            is_flag=True,
            help="Emit a template, instantiated for the arguments of --template.",
        ),
        click.option(
            "--separate",
            is_flag=True,
            help="Split the adjoint of a struct into an array for each field: adj_p_x[i].",
        ),
        click.option(
            "--template",
            multiple=True,
            metavar="T=float,M=4",
            help="The template arguments of the kernel.",
        ),
        click.option(
            "--tape-budget",
            metavar="BYTES",
            help="Limit the tape of a thread: keep states, and run the iterations between again.",
        ),
    ]
    for decorate in reversed(decorators):
        command = decorate(command)
    return command


def request(given: Mapping[str, Any], *more: Diagnostic) -> Options:
    """Return the options as one value. Raises Misused with all their errors."""
    wrong = [*more, *_not_built(given)]

    def each(flag: str, read: Callable[[str], Value]) -> tuple[Value, ...]:
        found = []
        texts = given.get(flag.replace("-", "_")) or ()
        for text in [texts] if isinstance(texts, str) else texts:
            try:
                found.append(read(text))
            except Unclear as unclear:
                wrong.append(usage(f"--{flag}: {unclear.why}", unclear.help))
        return tuple(found)

    def listed(flag: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for group in each(flag, options.names) for name in group))

    if given.get("companion") and given.get("keep_template"):
        wrong.append(usage("--companion and --keep-template exclude each other"))
    if given.get("companion") and given.get("mode") == "second-order":
        wrong.append(usage("--companion with --mode second-order", "leave --companion out"))
    if given.get("kernel") == "":
        wrong.append(usage("--kernel: '' isn't a name"))
    many = None
    if given.get("directions") is not None:
        many = next(iter(each("directions", options.directions)), None)
        if given.get("mode") not in (None, "tangent", "second-order"):
            wrong.append(usage(f"--directions with --mode {given['mode']}", "only tangents have directions"))
    if given.get("hessian") and given.get("mode") not in (None, "second-order"):
        wrong.append(usage(f"--hessian with --mode {given['mode']}", "it is of --mode second-order"))
    seeds = None
    if given.get("seeds") is not None:
        seeds = next(iter(each("seeds", options.seeds)), None)
        if given.get("mode") in ("tangent", "second-order"):
            wrong.append(usage(f"--seeds with --mode {given['mode']}", "only adjoints have seeds"))
    store, recompute = listed("store"), listed("recompute")
    wrong += [usage(f"{name} can't be both stored and recomputed") for name in store if name in recompute]
    both = set(given.get("forward", ())) & set(given.get("reverse", ()))
    wrong += [usage(f"--forward {line} and --reverse {line} exclude each other") for line in sorted(both)]
    asked = Options(
        kernel=given.get("kernel") or "",
        of=listed("of"),
        wrt=listed("wrt"),
        mode=MODES.get(given.get("mode") or ""),
        directions=many,
        hessian=HESSIANS.get(given.get("hessian") or ""),
        seeds=seeds,
        names=NAMES.get(given.get("names") or ""),
        skin=SKINS.get(given.get("skin") or ""),
        accumulate=SUMS.get(given.get("accumulate") or ""),
        defines=each("define", options.define),
        includes=tuple(given.get("include", ())),
        template=tuple(pair for group in each("template", options.template) for pair in group),
        rules=tuple(given.get("rules", ())),
        store=store,
        recompute=recompute,
        bounds=each("bound", options.bound),
        assume=each("assume", options.assumption),
        forward=each("forward", options.line_of),
        reverse=each("reverse", options.line_of),
        companion=bool(given.get("companion")),
        keep_template=bool(given.get("keep_template")),
        separate=bool(given.get("separate")),
        tape_budget=next(iter(each("tape-budget", options.tape_budget)), None),
    )
    if wrong:
        raise Misused(*wrong)
    return asked


def usage(what: str, help: str = "") -> Diagnostic:
    return diagnose(Code.USAGE, None, what=what, help=help)


def not_built(what: str, help: str = "") -> Diagnostic:
    return diagnose(Code.NOT_BUILT, None, what=what, help=help)


def timeout_problems(timeout: float | None) -> list[Diagnostic]:
    """Return what is wrong with a time limit in seconds; None is the default."""
    if timeout is None or timeout > 0:
        return []
    return [usage(f"--timeout {timeout:g}: not a positive number", "--timeout SECONDS")]


def output_problems(file: str, output: str | None, needs_output: Iterable[str]) -> list[Diagnostic]:
    """Return the errors of `-o` that can be found without reading files."""
    if output in (None, STDOUT_ARGUMENT):
        return [usage(f"{flag} needs an output file to compare with", "-o OUT.cu") for flag in needs_output]
    assert output is not None
    if output == "":
        return [usage("-o '' isn't a file name")]
    if file != "-" and os.path.normpath(file) == os.path.normpath(output):
        root, suffix = os.path.splitext(os.path.basename(file))
        return [diagnose(Code.OUTPUT_IS_INPUT, None, file=file, suggestion=f"{root}_adj{suffix}")]
    return []


def _not_built(given: Mapping[str, Any]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    if given.get("mode") not in (None, *MODES):
        found.append(not_built(f"--mode {given['mode']}", f"implemented: {' and '.join(MODES)}"))
    return found
