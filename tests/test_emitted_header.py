"""The command in an emitted file's header: what it was made with, said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2sad import emitted_header
from s2sad.cli import main
from s2sad.options import MODES, NAMES, SKINS, SUMS, Options, Unclear, assumption, command, of_command

KERNEL = """extern "C" __global__ void scale(const float *x, const float *w, float *y)
{
    y[threadIdx.x] = FACTOR * w[threadIdx.x] * x[threadIdx.x];
}
"""
NAME = st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,6}", fullmatch=True)
TEXT = st.text("abc xyz09'\"$\\+-*/()", min_size=1, max_size=8).filter(lambda t: t == t.strip())
LIST = st.lists(NAME, max_size=3, unique=True).map(tuple)
OPTIONS = st.builds(
    Options,
    kernel=NAME | st.just(""),
    of=LIST,
    wrt=LIST,
    mode=st.sampled_from([None, *MODES.values()]),
    names=st.sampled_from([None, *NAMES.values()]),
    skin=st.sampled_from([None, *SKINS.values()]),
    accumulate=st.sampled_from([None, *SUMS.values()]),
    defines=st.lists(st.tuples(NAME, TEXT), max_size=2).map(tuple),
    includes=st.lists(TEXT, max_size=2).map(tuple),
    template=st.lists(st.tuples(NAME, NAME), max_size=2).map(tuple),
    rules=LIST,
    store=LIST,
    recompute=LIST,
    bounds=st.lists(st.tuples(st.integers(1, 999), NAME), max_size=2).map(tuple),
    assume=st.lists(
        st.sampled_from(["injective:a", "sorted:b", "launch:1d", "covers:n"]).map(assumption), max_size=2
    ).map(tuple),
    companion=st.booleans(),
    keep_template=st.booleans(),
    separate=st.booleans(),
)


@given(OPTIONS)
def test_a_command_gives_its_options_back(options: Options) -> None:
    found = of_command(command("transform", "a b.cu", options))
    defaults = Options(mode="joint", names="adj", skin="plain", accumulate="fastest")
    assert found.over(defaults) == options.over(defaults)


@pytest.mark.parametrize(
    "text",
    [
        "s2sad transform a.cu --later 1",
        "s2sad transform a.cu --of",
        "s2sad transform a.cu --mode up",
        "s2sad 'a",
    ],
)
def test_other_commands_are_unclear(text: str) -> None:
    with pytest.raises(Unclear):
        of_command(text)


def test_a_text_without_a_command_has_no_options() -> None:
    assert emitted_header.options_of("__global__ void k_adj() {}", "k.cu") == Options()
    assert emitted_header.options_of("//  s2sad transform k.cu --later 1", "k.cu") == Options()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("src", "include", ".git"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "scale.cu").write_text(f'#include "factor.h"\n{KERNEL}')
    (tmp_path / "include" / "factor.h").write_text("#define FACTOR 3.0f\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0)


MADE = ("src/scale.cu", "--wrt", "w", "--names", "grad", "--include", "include", "-o", "src/scale_adj.cu")


def test_the_command_runs_in_the_folder_of_the_kernel(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status("transform", *MADE) == 0
    text = (project / "src" / "scale_adj.cu").read_text()
    said = text.splitlines()[2].removeprefix("//").split()
    assert said[-2:] == ["--include", "../include"]
    monkeypatch.chdir(project / "src")
    assert status(*said[1:], "-o", "again.cu") == 0
    assert Path("again.cu").read_text() == text


@pytest.mark.parametrize("flag", ["--check", "--diff"])
def test_a_comparison_takes_the_options_of_the_file(
    flag: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("transform", *MADE) == 0
    assert status("transform", "src/scale.cu", flag, "-o", "src/scale_adj.cu") == 0
    assert "---" not in capsys.readouterr().err
    # those of the command line come first
    assert status("transform", "src/scale.cu", "--names", "adj", "--check", "-o", "src/scale_adj.cu") == 1


def test_check_takes_the_options_of_the_file(project: Path) -> None:
    assert status("transform", *MADE) == 0
    (project / "src" / "scale.toml").write_text(
        "[launch]\ngrid = 1\nblock = 8\n[args]\n"
        + "".join(f'{name} = {{ shape = 8, fill = "normal" }}\n' for name in "xwy")
    )
    assert status("check", "src/scale.cu", "src/scale_adj.cu") == 0


OPTIONS_IN_THE_CASE = """of = "y"
define = { FACTOR = "3.0f" }
include = "../include"
template = "T=float"
assume = ["launch:1d"]
[launch]
grid = 1
block = 8
[args]
x = { shape = 8, fill = "normal" }
y = { shape = 8, fill = "zeros" }
"""
TEMPLATE = """#include "twice.h"
template <typename T> __global__ void scale(const T *x, T *y)
{
    y[threadIdx.x] = FACTOR * twice(x[threadIdx.x]);
}
"""


def test_a_case_has_options(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "scale.cu").write_text(TEMPLATE)
    (project / "include" / "twice.h").write_text("__device__ float twice(float v) { return v + v; }\n")
    (project / "src" / "scale.toml").write_text(OPTIONS_IN_THE_CASE)
    assert status("check", "src/scale.cu", "--json") == 0
    assert "inferred" not in capsys.readouterr().err


def test_the_options_of_a_case_have_places(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "scale.toml").write_text(OPTIONS_IN_THE_CASE.replace("launch:1d", "launch:9d"))
    assert status("check", "src/scale.cu") == 2
    said = capsys.readouterr().err
    assert "src/scale.toml:5" in said
    assert "assume: 'launch:9d' isn't an assumption" in said


def test_macros_and_folders_are_given_as_to_a_compiler(project: Path) -> None:
    (project / "src" / "scale.cu").write_text(
        TEMPLATE.replace("template <typename T> ", "").replace("T *", "float *")
    )
    (project / "include" / "twice.h").write_text("__device__ float twice(float v) { return v + v; }\n")
    assert status("transform", "src/scale.cu", "-DFACTOR=3", "-Iinclude", "-o", "one.cu") == 0
    assert status("transform", "src/scale.cu", "-D", "FACTOR=3", "--include", "include", "-o", "two.cu") == 0
    assert Path("one.cu").read_text() == Path("two.cu").read_text()
