"""The code blocks of the README and of documents are up to date.

A line `<!-- shows: FILE -->` or `<!-- shows: s2sad … -->` before a code block specifies
the block: the text of a file, the output of that command, the errors it reports
(`wrong s2sad …`), or (`plan FILE`) a plan's tables. `--update-golden` updates all
blocks.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Golden

import s2sad

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
AUDIT = ROOT / "docs" / "audit.md"
PYTORCH = ROOT / "docs" / "pytorch.md"
CHAINS = ROOT / "docs" / "chains.md"
TRACE = ROOT / "docs" / "trace.md"
SHOWN = re.compile(
    r"(<!-- shows: (?P<what>.*?) -->\n(?:```\w+\n)?)(?P<text>.*?)(?=^```$|^<!-- end -->$)",
    re.DOTALL | re.MULTILINE,
)


def truth(what: str) -> str:
    words = shlex.split(what)
    if words[0] == "plan":
        return s2sad.transform(ROOT / words[1]).plan.table() + "\n"
    if words[0] not in ("s2sad", "wrong"):
        return (ROOT / what).read_text()
    command = [sys.executable, "-m", *words[words.index("s2sad") :]]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = ran.stdout or ran.stderr
    if words[0] == "wrong":
        return "".join(line for line in said.splitlines(keepends=True) if line.startswith("wrong: "))
    return said


@pytest.mark.parametrize("document", [README, AUDIT, CHAINS, PYTORCH, TRACE], ids=lambda path: path.name)
def test_what_a_page_shows_is_what_there_is(document: Path, golden: Golden) -> None:
    golden(document, SHOWN.sub(lambda match: match[1] + truth(match["what"]), document.read_text()))


def test_a_newcomer_needs_two_commands_of_one_line_each() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    for block in blocks[:2]:
        assert block.count("\n") == 1
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
    assert "s2sad transform examples/relax.cu" in blocks[0]
    assert "pytest" in blocks[1]


def test_the_readme_shows_a_kernel_and_its_adjoint() -> None:
    shown = [match["what"] for match in SHOWN.finditer(README.read_text())]
    assert shown[0] == "examples/relax.cu"
    assert shown[1].startswith("s2sad transform examples/relax.cu ")


def test_the_python_of_the_readme_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    (code,) = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert "void relax_adj(" in capsys.readouterr().out
    result = names["result"]
    assert isinstance(result, s2sad.Result)
    assert {name: array.shape for name, array in result.gradients.items()} == {"x": (300,), "w": (8,)}


def test_the_folders_and_files_that_are_named_are_there() -> None:
    for document in (README, ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md", PYTORCH):
        named = re.findall(r"`((?:s2sad|tests|templates|examples|tools|\.ci)/[\w./]*)`", document.read_text())
        missing = [name for name in named if "NAME" not in name and not (ROOT / name).exists()]
        assert missing == [], document.name


def test_the_readme_links_to_every_page_in_one_list() -> None:
    (listed,) = re.findall(r"^Each subject has a page: .*?\n\n", README.read_text(), re.MULTILINE | re.DOTALL)
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert set(re.findall(r"\(docs/([\w-]+\.md)\)", listed)) == pages


def test_links_between_pages_lead_somewhere() -> None:
    for document in (README, *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([\w./-]+)\)", document.read_text()):
            assert (document.parent / link).exists(), f"{document.name}: {link}"
