"""The advice of refusals, followed literally, must work.

Every kernel in errors/ways_out/ gets the refusals of its first line, one after the
other. Options are copied from the help, with a capital word
replaced as in the line `// where:`. If the help asks for an edit, that is made in
NAME_out.cu (and NAME_out_second.cu if one kernel becomes two), whose first line is
the help's text, or the label if that is sufficient. The final result goes through `s2sad check`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_errors import refuse

from s2sad.cli import app

FOLDER = Path(__file__).parent / "errors" / "ways_out"
KERNELS = [path for path in sorted(FOLDER.glob("*.cu")) if "_out" not in path.stem]
OPTION = re.compile(r"--[a-z]+ [^\s,;]+")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_the_way_out_leads_out(
    kernel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FOLDER)
    written = sorted(FOLDER.glob(f"{kernel.stem}_out*.cu"))
    helps: list[str] = []
    options: list[str] = []
    for code in said(kernel, "meets").split(", "):
        status, found = refuse(["transform", kernel.name, *options], capsys)
        errors = {(d["code"], d["help"] or d["label"]) for d in found if d["severity"] == "error"}
        assert (status, {code for code, _ in errors}) == (2, {code})
        helps.append(errors.pop()[1])
        options += option(helps[-1], dict(pair.split("=") for pair in said(kernel, "where").split()))
    for path in written:
        assert said(path, "help") in helps[-1]
    for path in written or [kernel]:
        case = next(p for p in (path.with_suffix(".toml"), kernel.with_suffix(".toml")) if p.exists())
        outcome = app.main(["check", path.name, "--case", case.name, *options], standalone_mode=False)
        assert outcome.status == 0, path.name


def said(path: Path, word: str) -> str:
    """Return the text of a line `// word: …` at the head of a file."""
    found = re.search(rf"^// {word}: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def option(help: str, where: dict[str, str]) -> list[str]:
    """Return the option that a help names, as arguments; empty if it asks for an edit."""
    for found in OPTION.findall(help):
        filled = re.sub(r"\b[A-Z]{3,}\b", lambda match: where.get(match[0], match[0]), found)
        if not re.search(r"=?\b(?:DIR|NAME|VALUE|EXPR)\b", filled):
            return filled.split(" ")
    return []
