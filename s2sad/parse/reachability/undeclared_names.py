"""Explain why a name that a kernel uses is declared nowhere.

It may be in lines that an `#if` excludes, or in a file whose include wasn't found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ... import files
from ...diagnostics import Code, Diagnostic
from ...source import Span
from ..source.preprocess import Preprocessed
from ..syntax.free_names import Use
from .predeclared_names import is_predeclared


def explained(unit: Preprocessed, problems: Sequence[Diagnostic], uses: Iterable[Use]) -> list[Diagnostic]:
    """Return the problems, with causes for undeclared names; `uses` are of names the file doesn't declare."""
    unknown: dict[str, Span] = {}  # with the first use of each
    for problem in problems:
        if problem.code is Code.UNKNOWN_TYPE and problem.span is not None:
            unknown.setdefault(problem.values["name"], problem.span)
    for use in uses:
        if not is_predeclared(use.name):
            unknown.setdefault(use.name, unit.tokens[use.node.coord.index].span)
    left_out = {name: directive for name in unknown if (directive := unit.left_out(name)) is not None}
    kept = [p for p in problems if p.values.get("name") not in left_out]
    kept += [_not_compiled(name, unknown[name], directive) for name, directive in left_out.items()]
    return _of_includes(unit, kept, {n: span for n, span in unknown.items() if n not in left_out})


def _not_compiled(name: str, span: Span, directive: Span) -> Diagnostic:
    """Report a name in a part that isn't compiled."""
    asked = re.match(r"#\s*ifdef\s+(\w+)", directive.text)
    option = f"--define {asked[1]}" if asked else "--define NAME=VALUE, so that the condition is true"
    values = {"name": name, "file": Path(directive.source.name).name, "option": option}
    return Diagnostic(Code.NOT_COMPILED, span, values, ((directive, "this condition is false"),))


def _of_includes(
    unit: Preprocessed, problems: list[Diagnostic], unknown: Mapping[str, Span]
) -> list[Diagnostic]:
    """Return the problems; if an include wasn't found, it is the cause of all unknown names."""
    if not unit.missing:
        return problems
    found = dict(unknown)
    for problem in problems:
        if problem.code is Code.NO_NAMESPACES and problem.span is not None:
            found.setdefault(problem.values["name"], problem.span)
    if not found:
        return problems
    first, *others = unit.missing
    related = [(span, f"`{name}` is used here") for name, span in found.items()]
    related += [(other.span, f"{other.name} isn't found either") for other in others]
    folders = (files.folder_of(missing.name, unit.source.name) for missing in unit.missing)
    option = " ".join(f"--include {folder}" for folder in dict.fromkeys(folders) if folder)
    names = ", ".join(f"`{name}`" for name in found)
    values = {"file": first.name, "names": names, "option": option or "--include DIR"}
    kept = [p for p in problems if p.code not in (Code.UNKNOWN_TYPE, Code.NO_NAMESPACES)]
    return [*kept, Diagnostic(Code.MISSING_INCLUDE, first.span, values, tuple(related))]
