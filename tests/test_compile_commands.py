"""Build flags: from a compilation database beside or above the file, after the user's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2sad import files, pipeline
from s2sad.compile_commands import build
from s2sad.diagnostics import Rejected
from s2sad.options import Options

KERNEL = """#include "shared.h"
extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = FACTOR * twice(x[threadIdx.x]);
}
"""
HEADER = "#ifdef WITH_CUDA\n__device__ inline float twice(float v) { return 2.0f * v; }\n#endif\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make the kernel's file, in a folder of a project with its header in another folder."""
    for folder in ("src", "include", "build"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "scale.cu").write_text(KERNEL)
    (tmp_path / "include" / "shared.h").write_text(HEADER)
    return tmp_path


def database(folder: Path, **entry: object) -> None:
    (folder / "build" / "compile_commands.json").write_text(
        json.dumps([{"directory": str(folder / "build"), "file": "../src/scale.cu", **entry}])
    )


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "nvcc -DWITH_CUDA -D FACTOR=3 -I../include -o scale.o -c ../src/scale.cu"},
        {"arguments": ["nvcc", "-DWITH_CUDA=1", "-DFACTOR=3", "-isystem", "../include", "-isystem=nowhere"]},
    ],
)
def test_the_flags_of_the_build_are_used_and_said(entry: dict[str, object], project: Path) -> None:
    database(project, **entry)
    done = pipeline.transform(files.read(str(project / "src" / "scale.cu")), Options())
    assert "#define FACTOR 3" in done.text
    assert "--define WITH_CUDA=1 --define FACTOR=3 --include include" in done.text.split("\n")[2]
    (note,) = [d for d in done.remarks if d.code.slug == "build-taken"]
    assert note.title.endswith("compile_commands.json")


def test_what_the_user_gives_comes_first(project: Path) -> None:
    database(project, command="nvcc -DWITH_CUDA -DFACTOR=3 -I../include")
    asked = Options(defines=(("FACTOR", "5"),))
    done = pipeline.transform(files.read(str(project / "src" / "scale.cu")), asked)
    assert dict(done.options.defines) == {"FACTOR": "5", "WITH_CUDA": "1"}


@pytest.mark.parametrize("text", ["", "[1, {}]", '{"a": 1}', '[{"file": "other.cu"}]'])
def test_a_database_that_says_nothing_of_the_file_is_no_problem(text: str, project: Path) -> None:
    (project / "build" / "compile_commands.json").write_text(text)
    assert build(files.read(str(project / "src" / "scale.cu"))) is None


def refused(project: Path, name: str = "src/scale.cu") -> str:
    with pytest.raises(Rejected) as caught:
        pipeline.transform(files.read(str(project / name)), Options())
    return "\n".join(d.help for d in caught.value.diagnostics)


def test_a_header_that_is_in_one_folder_of_the_project_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    (project / "setup.py").write_text("")
    assert refused(project) == "name its folder: --include include"
    (project / "other").mkdir()
    (project / "other" / "shared.h").write_text("")
    assert refused(project) == "name its folder: --include DIR"


def test_headers_are_not_looked_for_beyond_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    (project / "src" / "pyproject.toml").write_text("")
    assert refused(project) == "name its folder: --include DIR"


def test_a_namespace_of_a_header_that_is_not_found_is_missed_with_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    (project / "setup.py").write_text("")
    kernel = "__global__ void k(const float *x, float *y)\n{\n    y[0] = inner::twice(x[0]);\n}\n"
    (project / "src" / "scale.cu").write_text(f'#include "inner.h"\n{kernel}')
    inner = "namespace inner {\n__device__ float twice(float v) { return 2.0f * v; }\n}\n"
    (project / "include" / "inner.h").write_text(inner)
    assert refused(project) == "name its folder: --include include"
    done = pipeline.transform(
        files.read(str(project / "src" / "scale.cu")), Options(includes=(str(project / "include"),))
    )
    assert "adj_x" in done.text
