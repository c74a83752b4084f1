"""The line of the text that an instruction comes from, as a library's debugging information has it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2sad.run.cpu import compiler, lines

TEXT = """static inline __attribute__((always_inline)) int twice(int *at) {
    return *at +
        *at;
}
int table[3];
# 1 "kernel.cu"
extern "C" int s2sad_trial(int *at) {
    int found = twice(at);
    if (found)
        found /= *at;
    return found + table[1];
}
"""


def library(folder: Path, *flags: str) -> Path:
    used = compiler.compiler()
    place = folder / "trial.so"
    command = [*used.command, "-shared", "-fPIC", "-g1", *flags, "-x", "c++", "-", "-o", str(place)]
    subprocess.run(command, input=TEXT, text=True, check=True)
    return place


@pytest.mark.parametrize("version", [4, 5])
def test_lines_are_those_of_the_text_and_of_calls_in_it(version: int, tmp_path: Path) -> None:
    table = lines.read(library(tmp_path, f"-gdwarf-{version}"))
    (variable,) = (v for v in table.variables if v.name == "table")
    assert (variable.size, table.variable(variable.start + 11)) == (12, variable)
    first = min(row.address for row in table.rows if row.file.endswith("kernel.cu"))
    last = max(row.address for row in table.rows if row.line == 0)
    told = {table.line(place + 1, "kernel.cu") for place in range(first, last)} - {None}
    assert {2, 3, 4, 5} <= told <= {1, 2, 3, 4, 5, 6}
    assert {call.line for call in table.calls} == {2}  # what the other file's function does is the call's


def test_a_library_that_is_cut_off_or_none_has_no_lines(tmp_path: Path) -> None:
    whole = library(tmp_path).read_bytes()
    for size in (0, 3, 40, len(whole) // 2):
        place = tmp_path / f"cut-{size}.so"
        place.write_bytes(whole[:size])
        assert lines.read(place).line(1000, "kernel.cu") is None
    place = tmp_path / "another.so"
    place.write_text("no library at all, but long enough for the beginning of one\n" * 9)
    assert lines.read(place) == lines.Lines()
