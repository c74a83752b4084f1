"""docs/cases.md names each key that a case file may have and no other, and its examples are read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2sad import case_options, pipeline
from s2sad.auditing import settings
from s2sad.options import Options
from s2sad.source import Source
from s2sad.toml_file import Document
from s2sad.validate import header
from s2sad.validate.case import ACCEPTED, Case
from s2sad.validate.fills import PLAIN, SPELLED

PAGE = (Path(__file__).parents[1] / "docs" / "cases.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(KERNEL,) = re.findall(r"^```c\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SECTION = {
    "At the top": "",
    "`[launch]`": "launch",
    "An array": "array",
    "`[tolerance]`": "tolerance",
    "`[[also]]`": "also",
    "`[backward]`": "backward",
}


def described() -> dict[str, set[str]]:
    """Return the keys in the first column of the tables, by the heading above them."""
    found: dict[str, set[str]] = {}
    for title, text in re.findall(r"^##+ ([^\n]*)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL):
        table = re.search(r"^\| key .*\n\|[-|]*\n((?:\|.*\n)*)", text, re.MULTILINE)
        if table:
            found[SECTION[title]] = set(re.findall(r"^\| `(\w+)` \|", table[1], re.MULTILINE))
    return found


def test_every_key_that_is_read_is_described_and_no_other() -> None:
    assert described() == {table: set(keys) for table, keys in ACCEPTED.items()}


def test_every_table_at_the_top_has_a_section() -> None:
    titles = PAGE.splitlines()
    for name in ("launch", "args", "tolerance", "names", "backward", "uncovered"):
        assert f"## `[{name}]`" in titles
    assert "## `[[also]]`" in titles


def test_every_fill_is_described() -> None:
    for fill in (*PLAIN, *re.findall(r"\w+\(lo, hi\)", SPELLED), "FILE.npy"):
        assert f'`"{fill}"`' in PAGE, fill


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_read(example: str, tmp_path: Path) -> None:
    np.save(tmp_path / "start.npy", np.zeros(6, np.float32))
    text = with_missing(example)
    file = tmp_path / "pull.toml"
    file.write_text(text, encoding="utf-8")
    done = pipeline.transform(Source("pull.cu", KERNEL), Options(of=("y",), wrt=("x", "a")))
    case = Case.read(file, done.pair.primal)
    assert [one.setting() for one in case.launches]
    case_options.options_of_case(header(file))
    settings.read(Document.read(file))


def test_defaults_are_what_the_page_says(tmp_path: Path) -> None:
    file = tmp_path / "pull.toml"
    file.write_text(EXAMPLES[0], encoding="utf-8")
    done = pipeline.transform(Source("pull.cu", KERNEL), Options(of=("y",), wrt=("x", "a")))
    case = Case.read(file, done.pair.primal)
    assert case.setting().launch.shared_bytes == 0
    assert settings.read(Document.read(file)).gradients == "either"


def with_missing(example: str) -> str:
    """Return an example with what it omits of the first, which is a whole case."""
    whole, own = tomllib.loads(EXAMPLES[0]), tomllib.loads(example)
    both: dict[str, Any] = {**whole, **own}
    for table in ("args", "launch"):
        both[table] = {**whole[table], **own.get(table, {})}
    return "".join(f"{key} = {spelled(value)}\n" for key, value in both.items())


def spelled(value: object) -> str:
    """Return a value as TOML on one line."""
    match value:
        case dict():
            return "{ " + ", ".join(f'"{key}" = {spelled(one)}' for key, one in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(spelled, value)) + "]"
        case str():
            return f'"{value}"'
        case _:
            return str(value)
