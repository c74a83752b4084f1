"""A project's options: read from s2sad.toml or pyproject.toml, after the user's and the file's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2sad import files, pipeline
from s2sad.cli import main
from s2sad.diagnostics import Rejected
from s2sad.options import Options

KERNEL = """#include "shared.h"
extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = FACTOR * twice(x[threadIdx.x]);
}
"""
HEADER = "__device__ inline float twice(float v) { return 2.0f * v; }\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make the kernel's file, in a folder of a repository with its header in another folder."""
    for folder in ("src", "include", ".git"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "scale.cu").write_text(KERNEL)
    (tmp_path / "include" / "shared.h").write_text(HEADER)
    return tmp_path


def made(project: Path, options: Options | None = None) -> pipeline.Transformed:
    return pipeline.transform(files.read(str(project / "src" / "scale.cu")), options or Options())


@pytest.mark.parametrize(
    ("name", "head"), [("s2sad.toml", ""), ("pyproject.toml", "[tool.other]\nx = 1\n[tool.s2sad]\n")]
)
@pytest.mark.parametrize("define", ['["FACTOR=3"]', '"FACTOR=3"', "{ FACTOR = 3 }"])
def test_options_hold_for_the_project(name: str, head: str, define: str, project: Path) -> None:
    (project / name).write_text(f'{head}include = "include"\ndefine = {define}\nnames = "grad"\n')
    done = made(project)
    assert "#define FACTOR 3" in done.text
    assert "grad_x" in done.text
    assert "--names grad --define FACTOR=3 --include ../include" in done.text
    (note,) = [d for d in done.remarks if d.code.slug == "project-taken"]
    assert note.title.endswith(name)


def test_the_user_comes_first(project: Path) -> None:
    (project / "s2sad.toml").write_text('include = "include"\ndefine = "FACTOR=3"\nnames = "grad"\n')
    done = made(project, Options(defines=(("FACTOR", "5"),), names="adj"))
    assert dict(done.options.defines) == {"FACTOR": "5"}
    assert done.options.names == "adj"


def test_the_file_comes_before_the_project(project: Path) -> None:
    (project / "s2sad.toml").write_text('include = "include"\ndefine = "FACTOR=3"\nnames = "grad"\n')
    kernel = project / "src" / "scale.cu"
    kernel.write_text(KERNEL.replace("extern", "// s2sad: --names adj\nextern"))
    assert made(project).options.names == "adj"


def test_options_for_some_files(project: Path) -> None:
    (project / "s2sad.toml").write_text(
        'include = "include"\n'
        '[file."src/*.cu"]\ndefine = "FACTOR=7"\nmode = "split"\n'
        '[file."lib/*.cu"]\nnames = "grad"\n'
    )
    done = made(project)
    assert dict(done.options.defines) == {"FACTOR": "7"}
    assert done.options.mode == "split"
    assert done.options.names == "adj"


def test_folders_above_the_repository_are_not_searched(project: Path) -> None:
    inner = project / "part"
    (inner / "src").mkdir(parents=True)
    (inner / ".git").mkdir()
    (inner / "src" / "scale.cu").write_text(KERNEL.replace('#include "shared.h"', HEADER))
    (project / "s2sad.toml").write_text('define = "FACTOR=3"\n')
    with pytest.raises(Rejected):
        made(inner)


def test_a_case_file_is_no_project(tmp_path: Path) -> None:
    kernel = tmp_path / "s2sad.cu"
    kernel.write_text(KERNEL.replace('#include "shared.h"', HEADER).replace("FACTOR", "3.0f"))
    (tmp_path / "s2sad.toml").write_text("[launch]\ngrid = 1\n")
    assert "adj_x" in pipeline.transform(files.read(str(kernel)), Options()).text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("colour = 1\n", "unknown key colour"),
        ('store = "s"\n', "store holds for some files only"),
        ("names = 3\n", "names: a text or a list of texts is wanted"),
        ('names = "green"\n', "names: --names green isn't known"),
        ('companion = "yes"\n', "companion is true or false"),
        ("file = 3\n", "file has a table for each file or pattern"),
        ('define = "3=4"\n', "define: '3' isn't the name of a macro"),
        ("define = \n", "invalid value"),
    ],
)
def test_errors_have_their_place(text: str, what: str, project: Path) -> None:
    (project / "s2sad.toml").write_text(f"# options\n{text}")
    with pytest.raises(Rejected) as refused:
        made(project)
    (problem,) = refused.value.diagnostics
    assert what in problem.title.lower() or what in problem.title
    assert problem.span is not None
    assert (Path(problem.span.source.name).name, problem.span.line) == ("s2sad.toml", 2)


def test_other_tools_configuration_is_ignored(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n")
    done = made(project, Options(defines=(("FACTOR", "5"),), includes=(str(project / "include"),)))
    assert not [d for d in done.remarks if d.code.slug == "project-taken"]


def test_the_kernels_of_a_file_are_read_with_them(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "s2sad.toml").write_text('include = "include"\ndefine = "FACTOR=3"\n')
    monkeypatch.chdir(project)
    with pytest.raises(SystemExit) as left:
        main(["kernels", "src/scale.cu"])
    assert left.value.code == 0
    assert "no:" not in capsys.readouterr().out


def test_the_project_comes_before_the_build(project: Path) -> None:
    """The kernel is read, run and described with one value of a macro."""
    (project / "s2sad.toml").write_text('include = "include"\ndefine = "FACTOR=3"\n')
    (project / "compile_commands.json").write_text(
        json.dumps([{"directory": str(project), "file": "src/scale.cu", "command": "nvcc -DFACTOR=5 -DMORE"}])
    )
    done = made(project)
    assert dict(done.options.defines) == {"FACTOR": "3", "MORE": "1"}
    assert "#define FACTOR 3" in done.text
    (note,) = [d for d in done.remarks if d.code.slug == "build-taken"]
    assert note.title.startswith("--define MORE=1 ")
