"""The command line as seen by users and scripts: output streams and exit statuses."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from s2sad import pipeline
from s2sad.cli import main

ROOT = Path(__file__).parents[1]
RELAX = ROOT / "examples" / "relax.cu"
SCALE = """\
extern "C" __global__ void scale(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i];
}
"""
CASE = """\
kernel = "scale"
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 31) / 32"
block = 32
[args]
n = 50
a = 1.5
x = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.err)


class Shell:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str | Path) -> Ran:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        said = self.capsys.readouterr()
        assert "Traceback" not in said.err
        return Ran(int(left.value.code or 0), said.out, said.err)


@pytest.fixture
def s2sad(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a function that runs a command in a folder with scale.cu and its case."""
    (tmp_path / "scale.cu").write_text(SCALE)
    (tmp_path / "scale.toml").write_text(CASE)
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


# ---- output streams ---------------------------------------------------------


def test_standard_output_is_the_emitted_file_and_nothing_else(s2sad: Shell) -> None:
    ran = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("// scale_adj: adjoint of scale (scale.cu)")
    assert ran.out.endswith("}\n")


def test_with_an_output_standard_output_is_empty(s2sad: Shell, tmp_path: Path) -> None:
    plain = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x")
    ran = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x", "-o", "out.cu")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert (tmp_path / "out.cu").read_text() == plain.out


def test_an_output_of_one_dash_is_standard_output(s2sad: Shell, tmp_path: Path) -> None:
    plain = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x")
    dashed = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x", "-o", "-")
    assert (dashed.status, dashed.out) == (0, plain.out)
    assert not (tmp_path / "-").exists()


def test_a_file_is_called_a_dash_by_its_path(s2sad: Shell, tmp_path: Path) -> None:
    ran = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x", "-o", "./-")
    assert (ran.status, ran.out) == (0, "")
    assert (tmp_path / "-").read_text().startswith("// scale_adj")


def test_the_ir_after_a_pass_is_printed_or_written(s2sad: Shell, tmp_path: Path) -> None:
    asked = ("transform", "scale.cu", "--of", "y", "--wrt", "x,a")
    ran = s2sad(*asked, "--dump-after", "block_reduce", "--verify")
    assert ran.status == 0
    assert ran.err.startswith("// after block_reduce: scale_adj\n")
    assert "(reduce, exists);" in ran.err
    assert ran.out == s2sad(*asked).out
    ran = s2sad(*asked, "--dump-after", "all", "--dump-dir", "dumps")
    names = [path.name for path in sorted((tmp_path / "dumps").iterdir())]
    assert (ran.status, ran.err) == (0, "")
    assert "build.scale_adj.ir" in names[1]
    assert len(names) > 5


def test_without_success_standard_output_is_empty_and_the_old_file_stays(
    s2sad: Shell, tmp_path: Path
) -> None:
    (tmp_path / "out.cu").write_text("mine\n")
    ran = s2sad("transform", "scale.cu", "--of", "z", "-o", "out.cu")
    assert (ran.status, ran.out) == (2, "")
    assert (tmp_path / "out.cu").read_text() == "mine\n"


def test_a_dash_reads_standard_input(s2sad: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SCALE.encode())))
    ran = s2sad("transform", "-", "--of", "y", "--wrt", "x")
    assert ran.status == 0
    assert "s2sad transform - --of y --wrt x\n" in ran.out


def test_the_same_input_gives_the_same_bytes_wherever_it_lies(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "scale.cu").write_text(SCALE)
    first = s2sad("transform", "scale.cu")
    second = s2sad(
        "transform", tmp_path / "deep" / "scale.cu", "--wrt", "x", "--of", "y", "--kernel", "scale"
    )
    assert first.out == second.out


def test_what_is_taken_from_the_signature_is_said(s2sad: Shell) -> None:
    ran = s2sad("transform", "scale.cu")
    assert "--of y --wrt x inferred from the signature of scale" in ran.err
    assert s2sad("transform", "scale.cu", "--wrt", "a").err.count("--of y inferred from") == 1


def test_the_source_may_say_what_is_wanted_and_the_command_line_overrides(
    s2sad: Shell, tmp_path: Path
) -> None:
    (tmp_path / "k.cu").write_text("#pragma s2sad adjoint of(y) wrt(a)\n" + SCALE)
    ran = s2sad("transform", "k.cu")
    assert ran.err == ""
    assert "--of y --wrt a\n" in ran.out
    assert "--of y --wrt x\n" in s2sad("transform", "k.cu", "--wrt", "x").out


def test_of_a_file_that_lacks_names_it_is_said_who_includes_it(s2sad: Shell, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void scaled(const float *x, float *y) { y[0] = BY * x[0]; }\n")
    (tmp_path / "main.cu").write_text('#define BY 2\n#include "k.cu"\n')
    done = s2sad("transform", str(file))
    assert done.status == 2
    assert "`k.cu` is included by `main.cu`" in done.err
    assert f"s2sad transform {tmp_path / 'main.cu'}" in done.err
    assert s2sad("transform", str(tmp_path / "main.cu")).status == 0


def test_json_is_one_object_on_standard_error(s2sad: Shell) -> None:
    ran = s2sad("transform", "scale.cu", "--wrt", "x,a", "--json")
    assert ran.out.startswith("// scale_adj")
    assert ran.json["status"] == 0
    assert [d["code"] for d in ran.json["diagnostics"]] == ["taken-from-signature"]
    roles = {p["name"]: (p["type"], p["role"], p["size"]) for p in ran.json["signature"]["parameters"]}
    assert roles["adj_y"] == ("const float *", "seed", "as y")
    assert roles["adj_x"] == ("float *", "accumulates", "as x")
    assert roles["adj_a"] == ("float *", "accumulates", "one float")
    assert roles["x"] == ("const float *", "entry value", "as for the primal")
    assert list(roles) == ["x", "adj_x", "y", "adj_y", "a", "adj_a", "n"]
    assert set(ran.json["plan"]) == {"decisions", "accumulations", "assumptions", "kinks"}


def test_json_of_a_refusal_has_every_problem_with_its_place(s2sad: Shell) -> None:
    ran = s2sad("transform", "scale.cu", "--of", "z", "--wrt", "n", "--json")
    assert (ran.status, ran.out) == (2, "")
    found = [(d["code"], d["file"], d["line"], d["column"]) for d in ran.json["diagnostics"]]
    assert found == [("no-such-parameter", "scale.cu", 1, 28), ("not-floating", "scale.cu", 1, 69)]


def test_json_of_wrong_usage_is_json_too(s2sad: Shell) -> None:
    assert s2sad("transform", "--json").json["status"] == 3
    assert s2sad("transform", "scale.cu", "--flog", "--json").json["diagnostics"][0]["code"] == "usage"


# ---- exit statuses ----------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "",
        "transform",
        "transform a.cu b.cu",
        "transform a.cu --flog",
        "transform a.cu --mode fast",
        "transform a.cu --of",
        "transform a.cu --of y,,x",
        "transform a.cu --of 3",
        "transform a.cu --define 3=4",
        "transform a.cu --bound x",
        "transform a.cu --assume nothing",
        "transform a.cu --assume launch:7d",
        "transform a.cu --store s --recompute s",
        "transform a.cu --check",
        "transform a.cu --diff",
        "transform a.cu -o - --check",
        "transform a.cu --companion --keep-template",
        "transform a.cu -o b.cu --check --diff",
        "transform a.cu -o a.cu",
        "transform ./a.cu -o a.cu",
        "transform a.cu --dump-after nothing",
        "transform a.cu --dump-dir b",
        "check a.cu --timeout 0",
        "check a.cu --backend gpu",
        "check -",
        "trace a.cu",
        "trace a.cu --thread 0",
        "trace - --thread 0,0",
        "flog a.cu",
        "example a b",
    ],
)
def test_wrong_usage_is_three_before_any_file_is_looked_at(words: str, s2sad: Shell) -> None:
    ran = s2sad(*words.split())
    assert (ran.status, ran.out) == (3, "")
    assert ran.err


def test_what_is_not_built_yet_is_refused_by_name(s2sad: Shell) -> None:
    ran = s2sad("bench", "a.cu")
    assert (ran.status, ran.out) == (3, "")
    assert "error[not-built]: s2sad bench is not implemented yet\n" in ran.err


def test_everything_wrong_with_a_command_line_is_said_at_once(s2sad: Shell) -> None:
    ran = s2sad("transform", "a.cu", "--tape-budget", "-9", "--bound", "x", "--check", "--of", "1")
    assert ran.err.endswith("4 errors\n")


@pytest.mark.parametrize(
    "words",
    [
        "transform nowhere.cu",
        "transform .",
        "transform scale.cu -o .",
        "transform scale.cu -o nowhere/out.cu",
        "transform scale.cu --kernel flog",
        "transform scale.cu --of flog",
        "transform scale.cu --include nowhere",
        "transform scale.cu --rules nowhere.toml",
        "check scale.cu --case nowhere.toml",
        "check scale.cu nowhere.cu",
        "kernels nowhere.cu",
        "case nowhere.cu",
        "explain nowhere.cu",
        "example flog",
        "rules flog",
    ],
)
def test_what_needs_the_file_system_or_the_text_is_two(words: str, s2sad: Shell) -> None:
    ran = s2sad(*words.split())
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert ran.err.startswith("error[") or "\nerror[" in ran.err


def test_the_input_is_never_the_output_whatever_the_link(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "soft.cu").symlink_to("scale.cu")
    (tmp_path / "hard.cu").hardlink_to(tmp_path / "scale.cu")
    for name in ("soft.cu", "hard.cu", str(tmp_path / "scale.cu")):
        ran = s2sad("transform", "scale.cu", "-o", name)
        assert (ran.status, "output-is-input" in ran.err) == (2, True)
    assert (tmp_path / "scale.cu").read_text() == SCALE


def test_several_kernels_are_listed_with_commands_to_copy(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text(SCALE + SCALE.replace("scale", "other"))
    ran = s2sad("transform", "two.cu")
    assert ran.status == 2
    assert "s2sad transform two.cu --kernel scale\n" in ran.err
    assert "s2sad transform two.cu --kernel other\n" in ran.err
    chosen = s2sad("transform", "two.cu", "--kernel", "other")
    assert "s2sad transform two.cu --kernel other --of y --wrt x\n" in chosen.out


def test_a_dependent_that_nothing_reaches_is_a_warning(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SCALE.replace("a * x[i] * x[i]", "x[i] > a ? 1.0f : 0.0f"))
    ran = s2sad("transform", "k.cu", "--of", "y", "--wrt", "x")
    assert ran.status == 0
    assert ran.out
    assert "warning[no-dependence]" in ran.err


def test_check_tells_a_stale_file_from_a_fresh_one_and_writes_nothing(s2sad: Shell, tmp_path: Path) -> None:
    assert s2sad("transform", "scale.cu", "-o", "out.cu", "--check").status == 1
    assert not (tmp_path / "out.cu").exists()
    assert s2sad("transform", "scale.cu", "-o", "out.cu").status == 0
    assert s2sad("transform", "scale.cu", "-o", "out.cu", "--check").status == 0
    fresh = (tmp_path / "out.cu").read_text()
    (tmp_path / "out.cu").write_text(fresh.replace("atomicAdd", "add").replace("+=", "-="))
    edited = (tmp_path / "out.cu").read_text()
    ran = s2sad("transform", "scale.cu", "-o", "out.cu", "--check")
    assert (ran.status, ran.out) == (1, "")
    assert "error[stale]: out.cu" in ran.err
    assert (tmp_path / "out.cu").read_text() == edited


def test_diff_shows_the_difference_and_writes_nothing(s2sad: Shell, tmp_path: Path) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu")
    fresh = (tmp_path / "out.cu").read_text()
    (tmp_path / "out.cu").write_text("// mine\n" + fresh)
    ran = s2sad("transform", "scale.cu", "-o", "out.cu", "--diff")
    assert (ran.status, ran.out) == (0, "")
    assert "\n-// mine\n" in ran.err
    assert (tmp_path / "out.cu").read_text() == "// mine\n" + fresh


# ---- check ------------------------------------------------------------------


def test_a_fresh_adjoint_passes(s2sad: Shell) -> None:
    ran = s2sad("check", "scale.cu")
    assert (ran.status, ran.out) == (0, "")
    assert "scale_adj: ok" in ran.err


def test_an_edited_adjoint_is_judged_as_it_is(s2sad: Shell, tmp_path: Path) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu", "--wrt", "x", "--of", "y")
    assert s2sad("check", "scale.cu", "out.cu").status == 0
    text = (tmp_path / "out.cu").read_text()
    assert "2.0f * a" in text or "a * x[i]" in text
    (tmp_path / "out.cu").write_text(text.replace("a * x[i]", "1.01f * a * x[i]"))
    ran = s2sad("check", "scale.cu", "out.cu", "--json")
    assert ran.status == 1
    assert ran.json["report"]["ok"] is False


def test_a_race_fails_the_check_and_both_its_lines_are_told(s2sad: Shell, tmp_path: Path) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu", "--wrt", "a", "--of", "y")
    text = (tmp_path / "out.cu").read_text()
    (share,) = [line for line in text.splitlines() if line.startswith("        adj_a_sum = ")]
    (tmp_path / "out.cu").write_text(text.replace(share, share.replace("adj_a_sum =", "*adj_a +=")))
    line = text.splitlines().index(share) + 1
    ran = s2sad("check", "scale.cu", "out.cu", "--wrt", "a")
    assert ran.status == 1
    told = f"in line {line} by block (1, 0, 0), thread (16, 0, 0); writes in line {line} by block (1, 0, 0)"
    assert "wrong: scale_adj: race on adj_a[0]: " in ran.err
    assert told in ran.err
    report = s2sad("check", "scale.cu", "out.cu", "--wrt", "a", "--json").json["report"]
    assert {(f["kind"], f["array"], f["element"]) for f in report["faults"]} == {("race", "adj_a", 0)}
    (sum_,) = (k for k, text in enumerate(text.splitlines(), 1) if "atomicAdd(where" in text)
    assert {a["line"] for f in report["faults"] for a in f["accesses"]} == {line, sum_}
    assert [w["ok"] for w in report["watched"]] == [True, False]
    assert {e["verdict"] for e in report["exact"]} == {"ok"}


def test_an_adjoint_of_other_parameters_is_refused(s2sad: Shell, tmp_path: Path) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu", "--wrt", "x,a", "--of", "y")
    ran = s2sad("check", "scale.cu", "out.cu")
    assert ran.status == 2
    assert "error[other-parameters]" in ran.err
    assert s2sad("check", "scale.cu", "out.cu", "--wrt", "x,a").status == 0


ROWS = """\
#define W 4
__global__ void rows(const float (*m)[W][2 * W], float3 *p, float s, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = s * m[i][0][1] * m[i][3][5] + p[i].x;
}
"""


@pytest.mark.parametrize("how", ["--mode joint", "--mode tangent", "--mode tangent --directions 3"])
def test_a_text_with_pointers_to_arrays_is_recognised(s2sad: Shell, tmp_path: Path, how: str) -> None:
    (tmp_path / "rows.cu").write_text(ROWS)
    asked = ("--of", "y", "--wrt", "m,p,s", *how.split())
    assert s2sad("transform", "rows.cu", "-o", "out.cu", *asked).status == 0
    assert s2sad("check", "rows.cu", "out.cu", *asked).status == 0


def test_a_text_for_other_directions_is_refused(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "rows.cu").write_text(ROWS)
    asked = ("--of", "y", "--wrt", "m,p,s", "--mode", "tangent", "--directions")
    s2sad("transform", "rows.cu", "-o", "out.cu", *asked, "3")
    ran = s2sad("check", "rows.cu", "out.cu", *asked, "2")
    assert ran.status == 2
    assert "error[other-parameters]" in ran.err
    assert "const float (*tan_m)[4][8][2]" in ran.err


def test_an_adjoint_with_the_other_prefix_is_recognised(s2sad: Shell) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu", "--names", "grad")
    assert s2sad("check", "scale.cu", "out.cu").status == 0


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("mode", ["split", "tangent", "second-order", "tangent --directions 3"])
def test_a_text_of_another_mode_is_recognised(s2sad: Shell, tmp_path: Path, mode: str, header: bool) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu", "--mode", *mode.split())
    text = (tmp_path / "out.cu").read_text()
    if not header and "directions" not in mode:
        (tmp_path / "out.cu").write_text(text.replace(f" --mode {mode}", ""))
    assert s2sad("check", "scale.cu", "out.cu").status == 0


def test_a_kernel_that_crashes_or_never_ends_fails_the_check(s2sad: Shell, tmp_path: Path) -> None:
    s2sad("transform", "scale.cu", "-o", "out.cu", "--wrt", "x", "--of", "y")
    text = (tmp_path / "out.cu").read_text()
    (tmp_path / "out.cu").write_text(text.replace("int i =", "while (n > 0)\n        n |= 1;\n    int i ="))
    ran = s2sad("check", "scale.cu", "out.cu", "--timeout", "1")
    assert ran.status == 1
    assert "1 s" in ran.err


def test_without_a_case_one_is_drafted_and_the_way_to_one_is_said(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "scale.toml").unlink()
    ran = s2sad("check", "scale.cu")
    assert ran.status == 0
    assert "s2sad case scale.cu" in ran.err
    draft = s2sad("case", "scale.cu")
    (tmp_path / "scale.toml").write_text(draft.out)
    assert s2sad("check", "scale.cu").status == 0


def test_a_draft_does_not_take_dimensions_from_a_librarys_header(s2sad: Shell, tmp_path: Path) -> None:
    """Cooperative groups have members with y and z, which the kernel doesn't use."""
    head = "#include <cooperative_groups.h>\n"
    group = "cooperative_groups::this_thread_block().sync();\n    int i"
    (tmp_path / "grouped.cu").write_text(head + SCALE.replace("int i", group))
    assert s2sad("check", "grouped.cu").status == 0


def test_a_missing_tool_is_four_and_says_what_to_install(
    s2sad: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    ran = s2sad("check", "scale.cu")
    assert (ran.status, ran.out) == (4, "")
    assert "install" in ran.err


# ---- the other commands -----------------------------------------------------


def test_kernels_says_what_can_be_differentiated_and_if_not_why(s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text(
        SCALE + SCALE.replace("scale", "other").replace("int i", 'asm("nop"); int i')
    )
    ran = s2sad("kernels", "two.cu", "--json")
    assert "s2sad transform two.cu --kernel scale --of y --wrt x" in ran.out
    found = {kernel["name"]: kernel for kernel in ran.json["kernels"]}
    assert (found["scale"]["differentiable"], found["other"]["differentiable"]) == (True, False)
    assert found["other"]["diagnostics"][0]["code"] == "inline-assembly"


def test_explain_shows_the_plan_and_the_adjoint(s2sad: Shell) -> None:
    ran = s2sad("explain", RELAX, "--of", "y", "--wrt", "x,w")
    assert ran.status == 0
    assert "# relax_adj" in ran.out
    assert "void relax_adj(" in ran.out


def test_an_example_is_copied_with_its_case_and_never_over_a_file(s2sad: Shell, tmp_path: Path) -> None:
    assert "relax" in s2sad("example").out
    ran = s2sad("example", "relax")
    assert (ran.status, ran.out) == (0, "")
    assert (tmp_path / "relax.cu").read_text() == RELAX.read_text()
    assert (tmp_path / "relax.toml").is_file()
    (tmp_path / "relax.cu").unlink()
    (tmp_path / "relax.toml").write_text("mine")
    assert s2sad("example", "relax").status == 2
    assert (tmp_path / "relax.toml").read_text() == "mine"
    assert not (tmp_path / "relax.cu").exists()


def test_an_example_brings_the_arrays_that_its_case_reads(s2sad: Shell, tmp_path: Path) -> None:
    assert s2sad("example", "spmv_row").status == 0
    data = "spmv_row_start.npy"
    assert (tmp_path / data).read_bytes() == (RELAX.parent / data).read_bytes()


def test_rules_finds_a_function_by_any_of_its_names(s2sad: Shell) -> None:
    assert s2sad("rules", "sinf").out == s2sad("rules", "sin").out
    assert "d/dx = cos(x)" in s2sad("rules", "sin").out
    assert "did you mean" in s2sad("rules", "sinn").err
    assert len(s2sad("rules").out.splitlines()) > 50


def test_doctor_says_what_works(s2sad: Shell) -> None:
    ran = s2sad("doctor")
    assert "cpu backend" in ran.out


@pytest.mark.parametrize("words", ["--help", "-h", "transform --help", "check -h", "--version"])
def test_help_and_version_go_to_standard_output(words: str, s2sad: Shell) -> None:
    ran = s2sad(*words.split())
    assert (ran.status, ran.err) == (0, "")
    assert ran.out


# ---- the process ------------------------------------------------------------


def test_an_error_of_ours_names_the_stage_and_writes_nothing(
    s2sad: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*args: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr(pipeline.emit, "render", fail)
    ran = s2sad("transform", "scale.cu", "-o", "out.cu")
    assert (ran.status, ran.out) == (70, "")
    assert "internal error in s2sad" in ran.err
    assert "stage: emit" in ran.err
    assert "please report it" in ran.err
    assert not (tmp_path / "out.cu").exists()


def run(words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", words], capture_output=True, text=True, timeout=60, **more)


def test_a_reader_that_has_enough_is_no_error() -> None:
    ran = run(f"{sys.executable} -m s2sad rules | head -n 1", cwd=ROOT)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_full_disk_is_two() -> None:
    ran = run(f"{sys.executable} -m s2sad transform {RELAX} > /dev/full", cwd=ROOT)
    assert ran.returncode == 2
    assert "error[unwritable]" in ran.stderr
    assert "Traceback" not in ran.stderr


def writing_end(pipe: Path) -> int:
    """Open the writing end of a pipe, once it has a reader."""
    for _ in range(300):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.1)
    raise AssertionError("nobody reads")


@contextmanager
def reading(pipe: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `s2sad transform` on a pipe, as started from a terminal.

    Tests in the background inherit ignored interrupts, and would pass that on.
    """
    os.mkfifo(pipe)
    words = [sys.executable, "-m", "s2sad", "transform", str(pipe)]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a handler isn't inherited
    try:
        child = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with child:
        try:
            yield child
        finally:
            child.kill()


def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    with reading(tmp_path / "pipe.cu") as child:
        end = writing_end(tmp_path / "pipe.cu")
        child.send_signal(signal.SIGINT)
        os.close(end)  # a read that began just after the signal isn't interrupted: let it end
        assert child.wait(20) == 130
        assert child.stderr is not None
        assert child.stderr.read().strip() == ""


def test_an_interrupt_ends_a_long_transformation_at_once(tmp_path: Path) -> None:
    lines = "".join(f"    s += sinf(s) * x[{k}];\n" for k in range(20000))
    text = SCALE.replace("    if", f"    float s = 0.0f;\n{lines}    if")
    with reading(tmp_path / "pipe.cu") as child:
        end = writing_end(tmp_path / "pipe.cu")
        os.set_blocking(end, True)
        with open(end, "w") as pipe:
            pipe.write(text)
        time.sleep(1)  # until it is running
        child.send_signal(signal.SIGINT)
        assert child.wait(5) == 130
        assert child.stderr is not None
        assert child.stderr.read().strip() == ""


def test_colours_are_for_terminals_only(s2sad: Shell) -> None:
    assert "\x1b" not in s2sad("transform", "nowhere.cu").err


# ---- names ------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        SCALE.replace("float a", "float adj_a").replace("= a *", "= adj_a *"),
        SCALE.replace("int i", "float adj_v = a;\n    int i").replace("= a *", "= adj_v *"),
        "#define adj_two 2.0f\n" + SCALE.replace("= a *", "= adj_two * a *"),
        "__device__ float adj_sq(float v) { return v * v; }\n" + SCALE.replace("x[i] * x[i]", "adj_sq(x[i])"),
        "__device__ float sq(float adj_v) { return adj_v; }\n" + SCALE.replace("x[i] * x[i]", "sq(x[i])"),
    ],
    ids=["parameter", "local", "macro", "function", "parameter of a function"],
)
def test_the_prefix_gives_way_to_the_names_of_the_primal(text: str, s2sad: Shell, tmp_path: Path) -> None:
    (tmp_path / "scale.cu").write_text(text)
    (tmp_path / "scale.toml").write_text(CASE.replace("a = 1.5", "adj_a = 1.5") if "adj_a" in text else CASE)
    ran = s2sad("transform", "scale.cu", "--of", "y", "--wrt", "x", "-o", "out.cu")
    assert ran.status == 0
    assert "float *adj2_x," in (tmp_path / "out.cu").read_text()
    assert s2sad("check", "scale.cu").status == 0
