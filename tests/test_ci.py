"""Checks of many kernels at once: the pre-commit hook and the example for continuous integration."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from s2sad import transform
from s2sad.each import Work, works

ROOT = Path(__file__).parents[1]
HOOK = ROOT / ".pre-commit-hooks.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with relax, its case and an adjoint, a kernel without a case, and the reverse."""
    for name in ("relax.cu", "relax.toml"):
        shutil.copy(ROOT / "examples" / name, tmp_path / name)
    (tmp_path / "relax_adj.cu").write_text(transform(tmp_path / "relax.cu").source)
    (tmp_path / "other.cu").write_text("// nothing\n")
    (tmp_path / "settings.toml").write_text("")
    return tmp_path


def hook(key: str) -> str:
    """Return a value of the hook, each of which is on one line."""
    (value,) = re.findall(rf"^\W*{key}: (.*)$", HOOK.read_text(), flags=re.MULTILINE)
    return str(value)


def run_hook(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """Run the hook like pre-commit: its entry with the names that the pattern selects."""
    words = hook("entry").split()
    assert words[0] == "s2sad"
    chosen = [name for name in names if re.search(hook("files"), name)]
    command = [sys.executable, "-m", *words, *chosen]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_hook_judges_what_a_change_touches(folder: Path) -> None:
    assert hook("require_serial") == "true"
    done = run_hook(folder, "README.md", "relax.toml", "relax_adj.cu", "other.cu", "settings.toml")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("relax_adj: ok") == 1
    assert done.stdout == ""
    path = folder / "relax_adj.cu"
    path.write_text(path.read_text().replace("2.0f * g", "2.1f * g"))
    wrong = run_hook(folder, "relax.cu")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("relax_adj.cu\nrelax_adj: WRONG")


def test_a_change_without_kernels_passes(folder: Path) -> None:
    done = run_hook(folder, "other.cu", "settings.toml")
    assert (done.returncode, done.stderr) == (0, "nothing to check: no case file beside these files\n")


def test_a_folder_is_all_below_it_and_each_is_checked_once(folder: Path) -> None:
    file, case = str(folder / "relax.cu"), str(folder / "relax.toml")
    below = folder / "more" / "relax.cu"
    below.parent.mkdir()
    shutil.copy(file, below)
    shutil.copy(case, below.with_suffix(".toml"))
    assert works([case, file, str(folder)]) == [
        Work(file, str(folder / "relax_adj.cu"), case),
        Work(str(below), None, str(below.with_suffix(".toml"))),
    ]


def test_what_is_refused_is_told_and_the_others_are_judged(folder: Path) -> None:
    case = (folder / "relax.toml").read_text().replace('"relax"', '"other"')
    (folder / "other.toml").write_text(case)
    command = [sys.executable, "-m", "s2sad", "check", "--each", str(folder), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    told = json.loads(done.stderr)
    assert done.returncode == told["status"] == 2
    assert [(Path(one["file"]).name, one["status"]) for one in told["checks"]] == [
        ("other.cu", 2),
        ("relax.cu", 0),
    ]
    assert told["checks"][1]["report"]["ok"]
    assert told["diagnostics"]


def test_the_commands_of_the_page_run(folder: Path) -> None:
    """Each step of the workflows, in a folder of kernels that are right."""
    text = (ROOT / "docs" / "ci.md").read_text()
    steps = re.findall(r"- run: (s2sad .*)$", text, flags=re.MULTILINE)
    between = [step for step in steps if " --git " in step]  # see test_review_of_commits.py
    steps = [step for step in steps if step not in between]
    assert (len(steps), len(between)) == (3, 1)
    (folder / "other.cu").unlink()
    for step in steps:
        command = f"{sys.executable} -m {step}"
        environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_runs_what_there_is() -> None:
    text = (ROOT / "docs" / "ci.md").read_text()
    assert "s2sad check --each . --json" in text
    assert f"- id: {hook('id')}" in text
