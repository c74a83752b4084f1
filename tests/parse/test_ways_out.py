"""Refusals of the front end whose help is an option: followed literally, it is accepted."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from s2sad.cli import main

ERRORS = Path(__file__).parent.parent / "errors"


def transform(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(["transform", *words])
    return int(left.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize("name", ["template_argument", "not_compiled"])
def test_the_option_that_is_named_helps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(ERRORS / f"{name}.cu")
    status, said = transform(capsys, file)
    assert status == 2
    (option,) = {line.partition("--")[2] for line in said.split("\n") if "= help:" in line}
    status, said = transform(capsys, file, *shlex.split(f"--{option}"))
    assert status == 0, said


def test_an_object_that_calls_a_function_is_passed_for_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = (ERRORS / "function_as_argument.cu").read_text()
    functor = "struct Twice { __device__ float operator()(float v) const { return twice(v); } };\n\n"
    text = text.replace("template <", f"{functor}template <").replace("x], twice)", "x], Twice())")
    (tmp_path / "k.cu").write_text(text)
    assert transform(capsys, str(tmp_path / "k.cu"), "--of", "y", "--wrt", "x")[0] == 0
