"""`s2sad mutate`: realistic faults, one line each, which the check sees and which can be revealed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from s2sad.cli import main
from s2sad.learn import mutation

ROOT = Path(__file__).parents[2]
TEXTS = sorted((ROOT / "examples").glob("*_adj.cu"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("relax.cu", "relax.toml", "relax_adj.cu"):
        shutil.copy(ROOT / "examples" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as left:
        main(words)
    return left.value.code


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_fault_is_one_line_and_is_found_again(path: Path) -> None:
    right = path.read_text()
    lines = right.splitlines()
    for fault in mutation.faults(right):
        wrong = fault.applied(right)
        assert lines[fault.line - 1] == fault.old
        assert wrong != right
        assert len(wrong.splitlines()) == len(lines) - (fault.new is None)
        found = mutation.planted(right, wrong)
        assert found is not None
        assert found.applied(right) == wrong
        assert not fault.old.lstrip().startswith("//")


def test_every_kind_of_fault_has_lines() -> None:
    """Each operator changes a line of some golden adjoint."""
    golden = (path.read_text() for path in sorted((ROOT / "tests" / "golden").glob("*_adj.cu")))
    left = {operator.what for operator in mutation.OPERATORS}
    for text in golden:
        left -= {fault.what for fault in mutation.faults(text)}
        if not left:
            break
    assert left == set()


def test_seeds_vary_the_kind() -> None:
    text = (ROOT / "examples" / "relax_adj.cu").read_text()
    kinds = len({fault.what for fault in mutation.faults(text)})
    assert len({fault.what for fault in mutation.shuffled(text, 3)[:kinds]}) == kinds
    assert mutation.shuffled(text, 1) == mutation.shuffled(text, 1)


def test_the_fault_is_seen_by_the_check_and_revealed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert status("mutate", "relax_adj.cu", "--seed", "2", "-o", "exercise.cu") == 0
    assert "--reveal" in capfd.readouterr().err
    assert status("check", "relax.cu", "exercise.cu") == 1
    capfd.readouterr()
    assert status("mutate", "exercise.cu", "--reveal") == 0
    told = capfd.readouterr().out
    right, wrong = (Path(name).read_text().splitlines() for name in ("relax_adj.cu", "exercise.cu"))
    first = next(number for number, (a, b) in enumerate(zip(right, wrong, strict=False), 1) if a != b)
    assert told.startswith(f"exercise.cu:{first}: ")
    assert f"should be  {right[first - 1].strip()}\n" in told


def test_a_right_file_has_none_and_a_foreign_one_is_refused(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert status("mutate", "relax_adj.cu", "--reveal") == 0
    assert capfd.readouterr().out == "relax_adj.cu has no fault\n"
    assert status("mutate", "relax.cu") == 2
    assert "didn't write" in capfd.readouterr().err
    assert status("mutate", "relax_adj.cu", "-o", "relax_adj.cu") in (2, 3)
    assert status("mutate", "relax_adj.cu", "--reveal", "-o", "x.cu") == 3
