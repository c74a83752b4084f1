"""`type-error` and `syntax-error` are only for invalid C++: a compiler rejects it at the same line.

Valid code that isn't supported has another code. Each file of errors/ is compiled with the header of
the CPU backend, as `check` would compile it.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from s2sad.run.cpu import compiler, unit

FILES = sorted((Path(__file__).parent / "errors").rglob("*.cu"))
INVALID = re.compile(r"^//.*?\b(?:type|syntax)-error: ")
EXPECTATION = re.compile(r"^//[ ]*\^+ [a-z0-9-]+: |^// columns \d+ to \d+: ")

# Lines that a compiler accepts nevertheless, and why the code is right.
TAKEN: dict[tuple[str, int], str] = {}


def lines_said(text: str) -> set[int]:
    """Return the lines that are expected to be invalid."""
    found, above = set(), 0
    for number, line in enumerate(text.split("\n"), 1):
        if not EXPECTATION.match(line):
            above = number
        elif INVALID.match(line):
            found.add(above)
    return found


WITH_SUCH = [path for path in FILES if lines_said(path.read_text())]


def compiled(path: Path) -> set[int]:
    """Return the lines at which a compiler finds an error; 0 if there is any."""
    text = unit.write(path.read_text(), (), "float", path.name)
    command = [*compiler.compiler().command, "-std=gnu++17", "-fsyntax-only", "-w", "-fmax-errors=0"]
    command += [f"-I{compiler.INCLUDE}", "-x", "c++", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    places = re.findall(rf"^{re.escape(path.name)}:(\d+):(?:\d+:)? error: ", done.stderr, re.M)
    return {int(line) for line in places} | ({0} if done.returncode else set())


@pytest.mark.parametrize("path", WITH_SUCH, ids=lambda path: path.stem)
def test_a_compiler_refuses_what_is_called_invalid(path: Path) -> None:
    known = {line for name, line in TAKEN if name == path.name}
    found, said = compiled(path), lines_said(path.read_text())
    if "syntax-error: " in path.read_text():  # parsers may detect a mistake at different lines
        assert found
    else:
        assert said - known <= found


def test_each_line_that_a_compiler_takes_is_one_of_those_files() -> None:
    said = {(path.name, line) for path in WITH_SUCH for line in lines_said(path.read_text())}
    assert said >= TAKEN.keys()
