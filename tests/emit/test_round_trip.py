"""A primal printed from its IR is read as the same IR; and nvcc accepts what is printed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from emit_kit import relax

from s2sad import irtext
from s2sad.emit import primal_text, render
from s2sad.ir import Program
from s2sad.parse import program
from s2sad.source import Source

HERE = Path(__file__).parent
KERNELS = sorted((HERE / "roundtrip").glob("*.cu"))


def _shown(what: Program) -> str:
    return "\n".join(irtext.show(f) for f in (*what.functions.values(), what.kernel))


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_what_is_printed_is_read_as_the_same_program(path: Path) -> None:
    first = program(Source(path.name, path.read_text()))
    text = primal_text(first)
    second = program(Source(path.name, text))
    assert _shown(second) == _shown(first)
    assert primal_text(second).split("extern")[1] == text.split("extern")[1]


def test_our_own_parser_reads_an_adjoint_and_prints_the_same_code() -> None:
    text = render(relax(tape=True))
    again = primal_text(program(Source("relax_adj.cu", text), dialect="emitted"))

    def code(text: str) -> list[str]:
        body = text[text.index('extern "C" __global__') :].splitlines()
        return [line for line in body if line.strip() and not line.strip().startswith("// ----")]

    assert code(again)[2:] == code(text)[3:]  # the head differs: only the emitter pairs parameters


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_nvcc_takes_what_is_printed(path: Path, tmp_path: Path) -> None:
    _compile(primal_text(program(Source(path.name, path.read_text()))), tmp_path)


def test_nvcc_takes_an_adjoint_with_a_tape(tmp_path: Path) -> None:
    _compile(render(relax(tape=True)), tmp_path)


def _compile(text: str, tmp_path: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        print("nvcc is missing: emitted text was not compiled", file=sys.stderr)
        pytest.skip("nvcc is missing")
    file = tmp_path / "kernel.cu"
    file.write_text(text)
    strict = ["-Werror", "all-warnings", "-diag-suppress", "177,550"]  # but for what is declared and unused
    command = [nvcc, "-std=c++17", "-arch=sm_80", "-ptx", *strict, "-o", str(tmp_path / "out.ptx"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + text
