"""`s2sad check FILE.cu FILE_adj.cu`: an emitted file that somebody edited is judged as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import s2sad
from s2sad.cli import main

RELAX = Path(__file__).parents[2] / "examples" / "relax.cu"


@pytest.fixture(scope="module")
def emitted() -> str:
    return s2sad.transform(RELAX, of="y", wrt="x,w").source


def judged(text: str, path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    edited = path / "relax_adj.cu"
    edited.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["check", str(RELAX), str(edited)])
    return int(left.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("atomicAdd(&adj_x[i], 2.0f * g_sum_left);", "adj_x[i] += 2.0f * g_sum_left;", "race on adj_x"),
        ("2.0f * g_sum_left);", "2.00001f * g_sum_left);", "exact tangent"),
        ("if (i + 1 < n)\n            atomicAdd", "if (i + 2 < n)\n            atomicAdd", "WRONG"),
        ("if (i + 1 < n)\n            atomicAdd", "if (i < n)\n            atomicAdd", "adj_x[300]"),
    ],
)
def test_an_edit_that_breaks_it_is_found(
    old: str, new: str, told: str, emitted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert emitted.count(old) == 1
    status, said = judged(emitted.replace(old, new), tmp_path, capsys)
    assert status == 1
    assert told in said


def test_an_edit_that_keeps_it_right_is_called_right(
    emitted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited = emitted.replace("2.0f * g_sum_left", "g_sum_left + g_sum_left")
    assert edited != emitted
    status, said = judged(edited, tmp_path, capsys)
    assert status == 0, said
