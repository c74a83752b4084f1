"""Draft cases from signature and text, and search for launches that reach more."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from . import auditing, pipeline
from .auditing import texts
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .files import STDIN
from .options import Options
from .parse.source.self_contained_text import of_library
from .pipeline import Transformed
from .run.isolated import Isolated
from .run.sanitizer_report import Fault
from .signature import Signature
from .source import Source
from .validate import Case, Pair, draft
from .validate.hints import Hints
from .validate.reaching import QUICK, SECONDS, Reaching
from .validate.search import Found, search, written

BackendName = Literal["auto", "cpu", "cuda"]


def from_signature(source: Source, options: Options) -> str:
    """Draft a case for a kernel, differentiable or not. Raises Rejected."""
    source = pipeline.selected(source, options)
    program = pipeline.read(source, options)
    said = {key: program.pragma.get(key, ()) for key in ("of", "wrt")}
    signature = pipeline.primal_signature(program, Options(of=said["of"]))
    signature = replace(signature, independents=said["wrt"])
    assume = [*map(str, options.assume), *program.pragma.get("assume", ())]
    return draft(signature, _name(source), options.kernel, Hints.of(source.text).under(assume))


def of_transformed(done: Transformed) -> str:
    """Draft a case for a kernel that was differentiated, with its options."""
    signature = replace(pipeline.primal_signature(done.program, done.options), independents=done.options.wrt)
    hints = Hints.of(authored(done)).under(map(str, done.options.assume))
    return draft(signature, _name(done.source), done.options.kernel, hints)


def authored(done: Transformed) -> str:
    """Return the text of a kernel and what it uses, without libraries."""
    return _authored(done.pair.primal_text)


def _authored(text: str) -> str:
    """Strip the libraries' headers from a preprocessed text: their coordinates don't concern the launch."""
    first, *parts = re.split(r'^#line \d+ "([^"\n]*)"\n', text, flags=re.M)
    named = zip(parts[::2], parts[1::2], strict=True)
    return first + "".join(part for file, part in named if not of_library(file))


def searched(
    done: Transformed, text: str, path: str = "", backend: BackendName = "auto", edited: str = ""
) -> str:
    """Add launches to a case's text that reach more, and note what none reached. Raises Rejected.

    `edited` is the adjoint's text, if it isn't the fresh one.
    """
    file = Path(done.source.name)
    pair = done.paired(edited, f"{file.stem}_adj.cu") if edited else done.pair
    pair = replace(pair, primal_file=file.name, adjoint_file=f"{file.stem}_adj.cu")
    case = Case.parse(text, pair.primal, path or "draft.toml")
    with Isolated(backend, SECONDS) as apart:
        assume = [str(a) for a in done.options.assume]
        run = Reaching(pair, apart, assume)
        found = search(case, pair.primal, run, sized=_sized(pair), infinite=run.infinite, needs=run.needs)
        return written(text, found)


def _sized(pair: Pair) -> bool:
    """Whether a primal is written for blocks of one size."""
    return Hints.of(_authored(pair.primal_text)).sized


def quickly(case: Case, pair: Pair, backend: Isolated, tries: int, assume: Sequence[str] = ()) -> Found:
    """Search briefly, with a backend that is also used otherwise.

    Raises Rejected if the primal leaves its arrays on everything that is tried.
    """
    before, backend.timeout = backend.timeout, min(backend.timeout, QUICK)
    try:
        run = Reaching(pair, backend, assume)
        found = search(
            case, pair.primal, run, tries, sized=_sized(pair), infinite=run.infinite, needs=run.needs
        )
        outside = run.leaves(found.case or case) if not found.coverage else None
        if outside is not None:
            raise Rejected(_no_draft(outside, pair.primal_file))
        return found
    finally:
        backend.timeout = before


def _no_draft(outside: Fault, file: str) -> Diagnostic:
    """Say that no draft was found on which a primal stays inside its arrays."""
    why, case = outside.text().partition(": ")[2], str(Path(file).with_suffix(".toml"))
    return diagnose(Code.NO_DRAFT, None, kernel=outside.kernel, why=why, file=file, case=case)


def for_audit(
    forward: Source,
    backward: Source,
    defines: dict[str, str],
    includes: Sequence[Path],
    kernel: str = "",
) -> str:
    """Draft a case for a backward kernel of any origin. Raises Rejected."""
    forward = texts.forward(forward, kernel, defines, includes)
    signature, extents = auditing.outline(forward, backward, defines, includes, kernel)
    hints = Hints.of(forward.text)
    hints = replace(hints, extents={**hints.extents, **extents})
    return draft(signature, _name(forward), kernel, hints)


def searched_for_audit(
    forward: Source,
    backward: Source,
    text: str,
    defines: dict[str, str],
    includes: Sequence[Path],
    backend: BackendName = "auto",
) -> str:
    """Like `searched`, for an audit. Raises Rejected."""
    with tempfile.TemporaryDirectory(prefix="s2sad-") as folder:
        path = Path(folder) / "draft.toml"
        path.write_text(text, encoding="utf-8")
        job = auditing.prepare(forward, backward, path, defines, includes)
    known = Signature(job.primal.name, job.known)
    forward = job.forward.file.source
    with Isolated(backend, SECONDS) as apart:
        run = auditing.Reaching(job, apart)
        sized = Hints.of(forward.text).sized
        return written(text, search(job.case, known, run, sized=sized, infinite=run.infinite))


def _name(source: Source) -> str:
    return "" if source.name == STDIN else Path(source.name).name
