"""docs/options.md names each option of an adjoint, and each key of a project's file, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

import click

from s2sad import project_options
from s2sad.cli.arguments import request_options
from s2sad.options import Assumption, Options
from s2sad.validate import Header

PAGE = (Path(__file__).parents[1] / "docs" / "options.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[str]:
    """Return the first cells of the table with that heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]*\n((?:\|.*\n?)*)", PAGE, re.MULTILINE)
    assert table is not None
    return [line.split("|")[1] for line in table[1].splitlines()]


def test_every_option_is_described_and_no_other() -> None:
    @click.command()
    @request_options
    def command() -> None: ...

    wanted = {name for parameter in command.params for name in parameter.opts}
    assert set(re.findall(r"`(--?[\w-]+)`", " ".join(rows("option")))) == wanted


def test_every_choice_is_described() -> None:
    for field in ("mode", "names", "skin", "accumulate"):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `--{field}` "))
        (literal,) = (one for one in get_args(get_type_hints(Options)[field]) if one is not type(None))
        assert all(f"`{choice}`" in row for choice in get_args(literal)), field


def test_every_assumption_is_described_and_no_other() -> None:
    kinds = set(get_args(get_type_hints(Assumption)["kind"]))
    assert set(re.findall(r"`(\w+):", " ".join(rows("assumption")))) == kinds


def test_every_key_of_a_projects_file_is_named() -> None:
    text = " ".join(PAGE.split())
    everywhere, some = re.search(r"For all files: (.*?); for some files also (.*?)\.", text).groups()  # type: ignore[union-attr]
    assert set(re.findall(r"`([\w-]+)`", everywhere)) == set(project_options._EVERYWHERE)
    assert set(re.findall(r"`([\w-]+)`", some)) == set(project_options._FOR_FILES) - set(
        project_options._EVERYWHERE
    )


def test_the_keys_of_a_case_file_that_are_options_are_named() -> None:
    (named,) = re.findall(r"in a case file ((?:`\w+`(?:,| and)?\s*)+) may\.", PAGE)
    options = {"define", "include", "template", "assume"}
    assert set(re.findall(r"`(\w+)`", named)) == ({*Header.__dataclass_fields__} - {"options"}) | options
