"""The diagnostics of refused kernels: every file in errors/ has its own expectations.

A comment of carets under a line tells the diagnostic and its place:

        out[idx[i]] = 2.0f * x[i];
    //  ^^^^^^^^^^^ shared-writer: two threads may write the same element

Whole files are compared: the file itself, and the same file with the
carets drawn anew from the diagnostics. So diagnostics may neither be missing nor
additional; `--update-golden` draws them (lines move, so run it twice). A first line
`// s2sad: …` is read by s2sad itself; options that only the command line has are
in a line `// command: …`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from conftest import Golden

from s2sad.cli import main
from s2sad.diagnostics import Code

FILES = sorted((Path(__file__).parent / "errors").glob("*.cu"))
EXPECTATION = re.compile(r"//[ ]*\^+ [a-z0-9-]+: |// (?:columns \d+ to \d+|in another file|no line): ")
CODES = {code.slug: code for code in Code}


def refuse(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit status and the diagnostics of a command line."""
    with pytest.raises(SystemExit) as left:
        main([*words, "--json"])
    said = capsys.readouterr()
    status = int(left.value.code or 0)
    assert bool(said.out) == (status == 0)
    return status, json.loads(said.err)["diagnostics"]


def with_carets(text: str, found: Iterable[dict[str, Any]], file: str) -> str:
    """Return the file with an expectation under each line that has a diagnostic."""
    under: dict[int, list[str]] = {}
    last: list[str] = []
    lines = text.split("\n")
    for d in found:
        what = f"{d['code']}: {d['label'] or d['title']}".replace(file, Path(file).name)
        if d["line"] is None or (d["line"], d["end_line"], d["end_column"]) == (1, 1, 1):
            last.append(f"// no line: {what}")
        elif d["file"] != file:
            last.append(f"// in another file: {what}")
        else:
            column = d["column"]
            end = d["end_column"] if d["end_line"] == d["line"] else len(lines[d["line"] - 1]) + 1
            carets = f"//{'':{column - 3}}{'^' * max(1, end - column)} {what}" if column > 2 else ""
            under.setdefault(d["line"], []).append(carets or f"// columns {column} to {end - 1}: {what}")
    out: list[str] = []
    for number, line in enumerate(lines, 1):
        if not EXPECTATION.match(line):
            out.append(line)
        out += under.get(number, ())
    while out[-1] == "":
        out.pop()
    return "\n".join([*out, *last]) + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_refusal_points_to_what_is_wrong(
    path: Path, golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    text = path.read_text()
    more = re.search(r"^// command: (.*)$", text, re.MULTILINE)
    status, found = refuse(["transform", str(path), *shlex.split(more[1] if more else "")], capsys)
    golden(path, with_carets(text, [d for d in found if d["severity"] != "note"], str(path)))
    assert status == (2 if any(d["severity"] == "error" for d in found) else 0)


KERNEL = b"""// scale a signal
extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}
"""


def written(path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Return exit status and codes for a file of these bytes."""
    path.write_bytes(data)
    status, found = refuse(["transform", str(path)], capsys)
    return status, [f"{d['code']} {d['line']}:{d['column']}" for d in found if d["severity"] == "error"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no-kernel 1:1"),
        (b"\n\n", "no-kernel 1:1"),
        (b"\x7fELF\x02\x01\x00\x00", "not-text 1:7"),
        (KERNEL.replace(b"signal", b"signal\x00"), "not-text 1:18"),
        (KERNEL.replace(b"float *x", b"float *d\xe9t\xe9"), "not-utf8 2:48"),
        (KERNEL.decode().encode("utf-16"), "not-text 1:4"),
    ],
    ids=["empty", "blank", "binary", "zero-byte", "latin-1", "utf-16"],
)
def test_what_is_no_text_is_refused_with_the_place(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert written(tmp_path / "k.cu", data, capsys) == (2, [said])


def test_comments_needn_t_be_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = KERNEL.replace(b"signal", b"signal d'\xe9t\xe9") + b'const char *name = "\xe9t\xe9"; /* \xe9 */'
    assert written(tmp_path / "k.cu", data, capsys) == (0, [])


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + KERNEL, KERNEL.replace(b"\n", b"\r\n"), KERNEL.rstrip()])
def test_marks_and_line_ends_of_other_systems_are_no_problem(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert written(tmp_path / "k.cu", data, capsys) == (0, [])


def test_a_file_cut_off_anywhere_is_refused_with_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (Path(__file__).parents[1] / "examples" / "relax.cu").read_bytes()
    for end in range(200, len(whole) - 4, 37):
        status, found = written(tmp_path / "cut.cu", whole[:end], capsys)
        assert (status, len(found) > 0) == (2, True), whole[:end]


@pytest.mark.parametrize("depth", [100, 4000, 20000])
def test_deep_parentheses_are_read_or_refused(
    depth: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = KERNEL.replace(b"x[threadIdx.x]", b"(" * depth + b"x[threadIdx.x]" + b")" * depth)
    status, found = written(tmp_path / "deep.cu", data, capsys)
    assert status == 0 or (status == 2 and found[0].startswith("too-deep"))


def test_what_is_no_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (tmp_path, tmp_path / "nowhere.cu", "a\0b"):
        status, found = refuse(["transform", str(name)], capsys)
        assert (status, [d["code"] for d in found]) == (2, ["unreadable"])


def test_there_are_at_least_forty_refusals() -> None:
    assert len(FILES) >= 40


def test_every_message_about_the_language_is_in_some_file() -> None:
    codes = list(Code)
    language = codes[codes.index(Code.UNTERMINATED_COMMENT) : codes.index(Code.NO_CASE)]
    said = "\n".join(
        line for path in FILES for line in path.read_text().split("\n") if EXPECTATION.match(line)
    )
    assert [code.slug for code in language if not re.search(rf"[ ^]{code.slug}: ", said)] == ["too-deep"]


@pytest.mark.parametrize("code", Code, ids=lambda code: code.slug)
def test_a_message_is_in_lower_case_and_without_a_full_stop(code: Code) -> None:
    message = code.value
    for part in (message.title, message.label, message.note, message.help):
        assert not part.endswith(".") or part.endswith("...")
        assert not part[:1].isupper() or part.split()[0] in ("C++17", "CUDA-C", "K_adj")
        assert "please" not in part.lower()
