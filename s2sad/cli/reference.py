"""`s2sad rules`, `example`, `case` and `doctor`: rules, examples, drafts and the environment."""

from __future__ import annotations

import difflib
import re
import shutil
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import files
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..resources import folder
from .arguments import request, usage
from .outcome import DONE, MISSING_TOOL, Outcome

if TYPE_CHECKING:
    from ..rules import Rule


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--rules", "tables", multiple=True, metavar="FILE.toml", help="More derivative rules.")
@click.option("--json", "as_json", is_flag=True, help="The rules as JSON on standard error.")
def rules(name: str | None, tables: tuple[str, ...], as_json: bool) -> Outcome:
    """Show the derivative rules."""
    from ..rules import load

    table = load([Path(path) for path in tables])
    if name is None:
        shown = [table[key] for key in table.names()]
    else:
        rule = table.find(name)
        if rule is None:
            raise Rejected(_unknown(Code.NO_SUCH_RULE, name, table.names(), "s2sad rules"))
        shown = [rule]
    return Outcome(
        product="".join(line for rule in shown for line in _rule(rule)),
        data={"rules": [_rule_data(rule) for rule in shown]},
    )


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="The list as JSON on standard error.")
def example(name: str | None, as_json: bool) -> Outcome:
    """List the packaged examples, or copy one with its case and data into the current folder."""
    packaged = _examples()
    if name is None:
        width = max((len(key) for key in packaged), default=0)
        lines = [f"{key:{width}}  {_first_comment(path)}".rstrip() + "\n" for key, path in packaged.items()]
        return Outcome(product="".join(lines), data={"examples": list(packaged)})
    if name not in packaged:
        raise Rejected(_unknown(Code.NO_SUCH_EXAMPLE, name, packaged, "s2sad example"))
    sources = _parts(packaged[name])
    taken = [path.name for path in sources if Path(path.name).exists() or Path(path.name).is_symlink()]
    if taken:
        raise Rejected(*(diagnose(Code.WOULD_OVERWRITE, None, file=file) for file in taken))
    for path in sources:
        try:
            shutil.copyfile(path, path.name)
        except OSError as error:
            raise Rejected(
                diagnose(Code.UNWRITABLE, None, file=path.name, reason=str(error.strerror))
            ) from None
    copied = [path.name for path in sources]
    said = f"copied {', '.join(copied)}; now: s2sad transform {name}.cu, s2sad check {name}.cu\n"
    return Outcome(remarks=said, data={"copied": copied})


@click.command()
@click.argument("file", metavar="FILE.cu")
@click.argument("backward", metavar="[BACKWARD.cu]", required=False)
@click.option("--search", is_flag=True, help="Add launches until all reachable code is covered.")
@click.option("--case", "start", metavar="CASE.toml", help="The case file to start from (default: a draft).")
@click.option(
    "--kernel",
    metavar="K",
    help="The kernel, if the file has several; to disambiguate, space::K, K@LINE or K@FILE:LINE.",
)
@click.option("-D", "--define", multiple=True, metavar="NAME=VALUE", help="A macro, as in nvcc -D.")
@click.option("-I", "--include", multiple=True, metavar="PATH", help="An #include folder or a source file.")
@click.option("--template", multiple=True, metavar="T=float,M=4", help="The kernel's template arguments.")
@click.option("--json", "as_json", is_flag=True, help="Messages as JSON on standard error.")
def case(
    file: str,
    backward: str | None,
    search: bool,
    start: str | None,
    kernel: str | None,
    define: tuple[str, ...],
    include: tuple[str, ...],
    template: tuple[str, ...],
    as_json: bool,
) -> Outcome:
    """Write a draft case file, from signature and text, to standard output.

    With BACKWARD.cu the draft is for `s2sad audit`. With --search it is run and varied: the file has launches
    for code that the first doesn't reach, and lists code that none reached.
    """
    wrong = [usage("--case needs --search", "--search")] if start and not search else []
    given = {"kernel": kernel, "define": define, "include": include, "template": template}
    options = request(given, *wrong)
    from .. import drafting, pipeline
    from ..case_options import options_of_case
    from ..validate import header

    source = files.read(file)
    text = files.read(start).text if start else ""
    if backward is not None:
        both = source, files.read(backward)
        where = dict(options.defines), [Path(folder) for folder in options.includes]
        text = text or drafting.for_audit(*both, *where, kernel or "")
        return Outcome(product=drafting.searched_for_audit(*both, text, *where) if search else text)
    if not search:
        return Outcome(product=drafting.from_signature(source, options))
    if start:
        options = options.with_more(options_of_case(header(start)))
    done = pipeline.transform(source, options)
    return Outcome(product=drafting.searched(done, text or drafting.of_transformed(done), start or ""))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="The same as JSON on standard error.")
def doctor(as_json: bool) -> Outcome:
    """Show which compilers and backends work here, and how to get the others."""
    from ..run.doctor import examine

    found = examine()
    missing = [finding for finding in found if finding.needed and not finding.ok]
    lines = []
    for finding in found:
        lines.append(f"{'ok' if finding.ok else 'missing':<8} {finding.name:<13} {finding.detail}\n")
        if finding.hint:
            lines.append(f"{'':<22} {finding.hint}\n")
    return Outcome(
        MISSING_TOOL if missing else DONE,
        product="".join(lines),
        data={"findings": [asdict(finding) for finding in found]},
    )


def _examples() -> dict[str, Path]:
    """Return the packaged kernels by name; adjoints beside them aren't examples."""
    found = sorted(folder("examples").glob("*.cu"))
    return {path.stem: path for path in found if not path.stem.endswith("_adj")}


def _parts(kernel: Path) -> list[Path]:
    """Return the files of a kernel, its case and the arrays that the case reads."""
    case = kernel.with_suffix(".toml")
    if not case.is_file():
        return [kernel]
    arrays = re.findall(r'"([^"/]+\.npy)"', case.read_text(encoding="utf-8"))
    return [kernel, case, *(kernel.with_name(name) for name in dict.fromkeys(arrays))]


def _first_comment(path: Path) -> str:
    line = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return line.removeprefix("//").strip() if line.startswith("//") else ""


def _unknown(code: Code, name: str, known: Iterable[str], listing: str) -> Diagnostic:
    near = difflib.get_close_matches(name, list(known), 1, 0.5)
    return diagnose(
        code, None, name=name, help=f"did you mean {near[0]}" if near else f"to list them: {listing}"
    )


def _rule(rule: Rule) -> Iterable[str]:
    """Yield the lines of a rule, one for each partial."""
    head = f"{rule.name}({', '.join(rule.parameters)})"
    if rule.refused:
        yield f"{head:<28} refused: {rule.refused}{f'; {rule.instead}' if rule.instead else ''}\n"
    if rule.constant:
        yield f"{head:<28} no derivative: {rule.constant}\n"
    if rule.exchange:
        yield f"{head:<28} {rule.exchange}\n"
    for result, partials in rule.jacobian.items():
        for argument, partial in partials.items():
            left = f"d{'' if result == 'r' else result}/d{argument}"
            kink = f"    {partial.kink}" if partial.kink else ""
            yield f"{head:<28} {left} = {partial.text}{kink}\n"
            head = ""


def _rule_data(rule: Rule) -> dict[str, object]:
    return {
        "name": rule.name,
        "parameters": list(rule.parameters),
        "constant": rule.constant or None,
        "exchange": rule.exchange or None,
        "refused": rule.refused,
        "partials": [
            {"result": result, "argument": argument, "partial": partial.text, "kink": partial.kink or None}
            for result, partials in rule.jacobian.items()
            for argument, partial in partials.items()
        ],
    }
