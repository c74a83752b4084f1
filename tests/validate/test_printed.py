"""A primal whose words carry other numbers is differentiated as printed, which is held against the file's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate.case import Case
from s2sad.validate.check import check_pair

FOLDER = Path(__file__).parents[1] / "golden"


def test_what_s2sad_has_read_must_do_what_the_file_does() -> None:
    path = FOLDER / "wide_words.cu"
    pair = transform(Source(path.name, path.read_text()), Options()).pair
    case = Case.read(path.with_suffix(".toml"), pair.primal)
    assert "weights[k]" in pair.printed
    assert "float4" not in pair.printed
    other = replace(pair, printed=pair.printed.replace("weights[k]", "weights[0]"))
    with Isolated("cpu", timeout=60.0) as isolated:
        report = check_pair(other, case, isolated)
    wrong = [finding.what for finding in report.findings if not finding.ok]
    assert "the primal as s2sad has read it gives other values of y than the file's" in wrong


def test_a_primal_without_such_words_is_compiled_as_it_is() -> None:
    path = FOLDER / "rows_in_views.cu"
    assert transform(Source(path.name, path.read_text()), Options()).pair.printed == ""
