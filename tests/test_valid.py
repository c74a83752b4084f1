"""Valid programs: none of them is reported as invalid, and supported ones have the right gradient.

Each file of valid/ is a small program with one feature of C++17, or of a compiler extension.
One that isn't supported names the codes of its refusal in a first line `// refused: …`; all others
are checked in both shapes, like those of c_semantics/, on the same case.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from fuzz.batch import judge_texts
from test_c_semantics import read
from tiers import every_sixth, in_both_shapes

from s2sad.diagnostics import Code, Rejected
from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.run.cpu import compiler, unit
from s2sad.source import Source

FILES = sorted((Path(__file__).parent / "valid").glob("*.cu"))
LEAST = 150
HEAD = re.compile(r"// refused: ([a-z-]+(?:, [a-z-]+)*)\n")
MISTAKES = {Code.SYNTAX_ERROR.slug, Code.TYPE_ERROR.slug}


def refusals(path: Path) -> set[str]:
    """Return the codes of refusal that a file names."""
    found = HEAD.match(path.read_text(encoding="utf-8"))
    return set(found[1].split(", ")) if found else set()


TAKEN = [path for path in FILES if not refusals(path)]


def said(path: Path) -> set[str]:
    """Return the codes with which a file is refused."""
    try:
        transform(Source(path.name, path.read_text(encoding="utf-8")), Options(of=("y",), wrt=("x",)))
    except Rejected as rejected:
        return {d.code.slug for d in rejected.diagnostics}
    return set()


def test_there_are_many() -> None:
    assert len(FILES) >= LEAST
    assert len(TAKEN) >= LEAST * 2 // 3


def test_a_compiler_takes_every_program() -> None:
    """This is one run: each in a separate file, in the order of their names."""
    for path in FILES:
        text = unit.write(path.read_text(encoding="utf-8"), (), "float", path.name)
        command = [*compiler.compiler().command, "-std=gnu++17", "-fsyntax-only", "-w"]
        command += [f"-I{compiler.INCLUDE}", "-x", "c++", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (path.name, done.stderr)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_valid_program_is_taken_or_refused_for_what_it_says(path: Path) -> None:
    found = said(path)
    assert found == refusals(path)
    assert not found & MISTAKES


@in_both_shapes
@pytest.mark.parametrize("half", [0, 1])
def test_what_is_taken_has_the_right_gradient(half: int, mode: Mode, first: int) -> None:
    """There are two batches, each one translation unit."""
    files = every_sixth(TAKEN[half::2], first)
    texts = [(*read(path), Options(of=("y",), wrt=("x",), mode=mode)) for path in files]
    verdicts = dict(zip((path.stem for path in files), judge_texts(texts), strict=True))
    assert {name: v.detail for name, v in verdicts.items() if v.kind != "ok"} == {}
