"""The contents of the package, and the consistency of the project's own files."""

from __future__ import annotations

import ast
import re
import stat
import subprocess
import tomllib
from pathlib import Path

import s2sad
from s2sad.resources import folder

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def tracked() -> list[Path]:
    """Return the project's files; without git, those of its known folders."""
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode == 0 and told.stdout:
        return [ROOT / name for name in told.stdout.split("\0") if name and (ROOT / name).is_file()]
    parts = ("s2sad", "templates", "tests", "examples", "tools", ".ci")
    return [
        p for part in parts for p in (ROOT / part).rglob("*") if p.is_file() and "__pycache__" not in p.parts
    ]


def test_there_is_one_version() -> None:
    assert PROJECT["project"]["version"] == s2sad.__version__
    assert f"## {s2sad.__version__} " in (ROOT / "CHANGELOG.md").read_text()


def test_templates_examples_and_pages_go_into_the_wheel_and_are_found_without_one() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    names = ("templates", "examples", "docs")
    assert included == {name: f"s2sad/{name}" for name in names}
    for name in included:
        assert any(folder(name).iterdir())


def test_no_module_is_left_out_of_the_wheel_because_git_would_ignore_it() -> None:
    modules = "".join(f"{path.relative_to(ROOT)}\n" for path in (ROOT / "s2sad").rglob("*.py"))
    asked = ["git", "check-ignore", "--no-index", "--stdin"]  # like the packager, by the patterns alone
    told = subprocess.run(asked, cwd=ROOT, input=modules, capture_output=True, text=True, check=False)
    assert told.stdout == ""


def test_the_dependencies_that_are_imported_are_the_declared_ones() -> None:
    names = {"jinja2": "jinja2", "click": "click", "numpy": "numpy", "pcpp": "pcpp", "rich": "rich"}
    names |= {"platformdirs": "platformdirs", "pycparser": "pycparser", "pycuda": "pycuda"}
    names |= {"elftools": "pyelftools"}
    declared = {re.split(r"[<>=\[ ]", text)[0] for text in PROJECT["project"]["dependencies"]}
    optional = {
        re.split(r"[<>=\[ ]", text)[0]
        for e in PROJECT["project"]["optional-dependencies"].values()
        for text in e
    }
    imported = set()
    for path in (ROOT / "s2sad").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                imported.add(node.module.split(".")[0])
            elif isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
    used = {names[name] for name in imported if name in names}
    assert used - optional == declared
    assert used <= declared | optional


def test_the_license_is_named_and_there() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    assert "the s2sad authors" in (ROOT / "LICENSE").read_text()


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    place = re.compile(r"(?<![\w.])/(?:home|work|root|Users)/\w")
    for path in tracked():
        text = path.read_bytes().decode("utf-8", errors="replace")
        assert not place.search(text), path


def test_the_check_of_a_checkout_can_be_run() -> None:
    path = ROOT / ".ci" / "run"
    assert path.stat().st_mode & stat.S_IXUSR
    subprocess.run(["bash", "-n", path], check=True)


def test_types_are_part_of_the_package() -> None:
    assert (ROOT / "s2sad" / "py.typed").is_file()
