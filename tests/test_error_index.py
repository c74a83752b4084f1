"""The table of messages is complete, its examples print what it says, and docs/errors.md is made of both.

`--update-golden` runs the examples and writes errors/commands/*.test and the page.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Golden
from error_kit import COMMANDS, Example, best, every, of_command, written
from error_kit import FOLDER as ERRORS

from s2sad import error_index
from s2sad.cli import app, main
from s2sad.cli.outcome import Outcome
from s2sad.diagnostics import Code
from s2sad.error_index import Entry

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "errors.md"
PRINTED_ELSEWHERE = {"compile_failed", "missing_tool"}
"""Examples that print what a compiler says, or what a machine lacks: kept as they are."""

INTRODUCTION = """\
# Messages

Each message of s2sad has a code in words: `shared-writer` in `error[shared-writer]`. This page says for each
code what it means, why, and what to do, with the smallest example of the tests as it is printed. At the
terminal, `s2sad help shared-writer` prints the same; with `--json`, the code is in `diagnostics[].code`.

Codes are stable: scripts may rely on them, and texts may change.

"""


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[Example]:
    return list(every(tmp_path_factory.mktemp("errors")))


def test_every_code_is_in_the_table_and_no_other() -> None:
    listed = [entry.code for group in error_index.groups() for entry in group.entries]
    assert sorted(listed) == sorted(code.slug for code in Code)


def test_the_program_prints_every_code_of_the_table_and_no_other() -> None:
    modules = [path for path in (DOCS.parent / "s2sad").rglob("*.py") if path.name != "diagnostics.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    by_hand = set(re.findall(r"\b(?:error|warning|note)\[([a-z-]+)\]", text))
    assert by_hand <= set(error_index.entries())
    raised = set(re.findall(r"\bCode\.([A-Z_0-9]+)\b", text))
    assert [code.slug for code in Code if code.name not in raised] == []


@pytest.mark.parametrize("entry", error_index.entries().values(), ids=lambda entry: entry.code)
def test_an_entry_is_in_whole_sentences(entry: Entry) -> None:
    for text in (entry.means, entry.instead, *filter(None, [entry.why])):
        assert text.endswith("."), text
        assert text[0].isupper() or text[0] in "`-", text
        assert text.count("`") % 2 == 0, text
        assert "please" not in text.lower()
    assert set(entry.see) <= set(error_index.topics())


def test_every_code_has_an_example(examples: list[Example]) -> None:
    shown = best(examples)
    kept = {code for path in COMMANDS if path.stem in PRINTED_ELSEWHERE for code in _kept(path).codes}
    assert [code.slug for code in Code if code.slug not in shown and code.slug not in kept] == []


def test_a_command_prints_what_its_example_says(examples: list[Example], golden: Golden) -> None:
    made = {example.name: example for example in examples}
    for path in COMMANDS:
        if path.stem not in PRINTED_ELSEWHERE:
            golden(path, written(made[path.stem]))


def test_an_example_is_named_after_its_code() -> None:
    for path in COMMANDS:
        assert any(path.stem.replace("_", "-").startswith(code) for code in _kept(path).codes), path.name


def test_the_page_is_made_of_the_table_and_the_examples(examples: list[Example], golden: Golden) -> None:
    golden(
        PAGE, page([_kept(ERRORS / "commands" / f"{e.name}.test") if _is_kept(e) else e for e in examples])
    )


def test_help_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    said = ask("shared-writer", capsys)
    entry = error_index.entries()["shared-writer"]
    flat = " ".join(said.split())
    for part in (entry.means, entry.why, entry.instead):
        assert part in flat
    assert "    error[shared-writer]: cannot prove that only one thread writes" in said
    assert "    $ s2sad transform " in said


@pytest.mark.parametrize("name", ["error[shared-writer]", "SHARED_WRITER", "shared-writer"])
def test_a_code_may_be_copied_as_it_was_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(name, capsys).startswith("shared-writer  (")


def test_help_alone_lists_all_codes_and_pages(capsys: pytest.CaptureFixture[str]) -> None:
    words = set(re.findall(r"[\w-]+", ask("", capsys)))
    assert {code.slug for code in Code} <= words
    assert {path.stem for path in DOCS.glob("*.md")} <= words


def test_help_prints_pages_and_the_options_of_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("options", capsys) == (DOCS / "options.md").read_text(encoding="utf-8")
    assert "--search" in ask("case", capsys)
    both = ask("audit", capsys)
    assert "--require-coverage" in both.partition("# Is this backward kernel right?")[0]
    assert both.endswith((DOCS / "audit.md").read_text(encoding="utf-8"))


def test_an_unknown_code_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["help", "shared-writers"])
    said = capsys.readouterr()
    assert (left.value.code, said.out) == (2, "")
    assert "did you mean shared-writer" in said.err


def test_help_as_json_has_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["help", "scatter", "--json"])
    assert json.loads(capsys.readouterr().err)["status"] == 2
    with pytest.raises(SystemExit):
        main(["help", "shared-writer", "--json"])
    (entry,) = json.loads(capsys.readouterr().err)["entries"]
    assert entry["code"] == "shared-writer"
    assert [part["file"] for part in entry["example"]] == ["scatter.cu", None]
    assert entry["example"][-1]["text"].startswith("$ s2sad transform scatter.cu\n")


# ---- the page ---------------------------------------------------------------


def page(examples: list[Example]) -> str:
    """Return the text of docs/errors.md."""
    shown = best(examples)
    parts = [INTRODUCTION]
    for group in error_index.groups():
        links = ", ".join(f"[{entry.code}](#{entry.code})" for entry in group.entries)
        parts.append(f"{filled(f'* **{group.title}**: {links}', '  ')}\n")
    for group in error_index.groups():
        parts.append(f"\n## {group.title}\n")
        for entry in group.entries:
            more = [e for e in examples if e.name.startswith(f"{_stem(entry.code)}_in_")]
            first = [shown[entry.code]] if entry.code in shown else []
            parts += section(entry, [*first, *(e for e in more if e not in first)])
    return "".join(parts)


def section(entry: Entry, shown: list[Example]) -> Iterator[str]:
    """Yield the parts of the section of one code."""
    yield f"\n### {entry.code}\n\n{filled(entry.means)}\n"
    if entry.why:
        yield f"\n{filled(f'**Why.** {entry.why}')}\n"
    for example in shown:
        for name, text in example.files:
            yield f"\n`{name}`:\n\n```{_language(name)}\n{text}```\n"
        commands = "".join(f"$ {command}\n" for command in example.commands)
        yield f"\n```text\n{commands}{example.printed}```\n"
    yield f"\n{filled(f'**What to do.** {entry.instead}')}\n"
    if entry.see:
        yield f"\nMore: {', '.join(f'[{name}]({name}.md)' for name in entry.see)}\n"


def filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _language(name: str) -> str:
    return {".toml": "toml", ".py": "python", ".json": "json"}.get(Path(name).suffix, "c")


def _stem(code: str) -> str:
    return code.replace("-", "_")


def _is_kept(example: Example) -> bool:
    return example.name in PRINTED_ELSEWHERE


def _kept(path: Path) -> Example:
    """Return an example as it is written."""
    return of_command(path, printed=True)


def ask(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what `s2sad help NAME` prints."""
    outcome = app.main(["help", *name.split()], standalone_mode=False)
    assert isinstance(outcome, Outcome)
    assert outcome.status == 0
    return outcome.product
