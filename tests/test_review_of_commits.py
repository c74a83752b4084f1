"""`s2sad review --git`: adjoints and plans that two commits change, stale adjoints, what the check says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from test_cli import CASE, SCALE, Shell
from test_formats import sarif
from test_review import BRANCH

from s2sad import transform

REFUSED = """\
// s2sad: --of y --wrt x
extern "C" __global__ void unknown(const float *x, float *y, int n)
{
    int i = blockIdx.x;
    y[i] = g(x[i]);
}
"""

CHANGED = SCALE.replace("a * x", "3 * a * x")
# Its plan has the line that a value is recorded for.
RECORDED = """\
extern "C" __global__ void scale(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        for (int k = 0; k < m; ++k)
            v = v * sinf(x[k] * v);
        y[i] = v;
    }
}
"""

ROOT = Path(__file__).parents[1]
Git = Callable[..., str]


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Return a function that runs git in a new repository, with one commit of scale and its adjoint."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *who, *words], capture_output=True, text=True, check=True)
        return done.stdout

    git("init", "-q", "-b", "main")
    commit(git, {"scale.cu": SCALE, "scale_adj.cu": adjoint(SCALE)})
    return git


def commit(git: Git, texts: dict[str, str | None]) -> None:
    """Commit files with these texts; None is a file that is removed."""
    for name, text in texts.items():
        if text is None:
            Path(name).unlink()
        else:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text)
    git("add", "-A")
    git("commit", "-q", "-m", "more")


def adjoint(text: str, name: str = "scale.cu", of: str = "y", wrt: str = "x", **more: str) -> str:
    return transform(text, name=name, of=of.split(","), wrt=wrt.split(","), **more).source  # type: ignore[arg-type]


def test_a_stale_adjoint_a_refusal_a_failed_check_and_an_unreached_branch_are_at_their_lines(
    git: Git, shell: Shell
) -> None:
    case = CASE.replace("a = 1.5\n", "")
    beyond = case.replace('"scale"', '"branch"').replace('x = { shape = "n"', 'x = { shape = "n - 1"')
    commit(
        git,
        {
            "scale.cu": SCALE.replace("void scale", "void  scale"),
            "scale_adj.cu": "//\n" + adjoint(SCALE),
            "scale.toml": CASE,
            "unknown.cu": REFUSED,
            "side.cu": BRANCH,
            "side.toml": case.replace('"scale"', '"branch"'),
            "beyond.cu": BRANCH,
            "beyond.toml": beyond,
        },
    )
    ran = shell("review", "--git", "HEAD~..HEAD", "--format", "sarif")
    assert (ran.status, ran.err) == (2, "")
    found = {
        (
            one["ruleId"],
            one["level"],
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            one["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for one in sarif(ran.out)["results"]
    }
    assert found >= {
        ("stale", "error", "scale_adj.cu", 1),
        ("unknown-function", "error", "unknown.cu", 5),
        ("out-of-bounds", "error", "beyond.cu", 1),
        ("not-reached", "note", "side.cu", 8),
        ("adjoint-changed", "note", "side.cu", 1),
    }
    assert not [one for one in found if one[1] == "error" and one[2] == "side.cu"]
    ran = shell("review", "--git", "HEAD~..HEAD", "--format", "github", "side.cu", "scale.cu", "unknown.cu")
    lines = ran.out.splitlines()
    for start in (
        "::error file=scale_adj.cu,line=1,col=1,title=s2sad%3A stale::",
        "::error file=unknown.cu,line=5,col=12,",
        "::notice file=side.cu,line=8,col=1,title=s2sad%3A not-reached::",
    ):
        assert any(line.startswith(start) for line in lines), lines
    assert not any("beyond.cu" in line for line in lines)


def test_what_changed_in_the_plan_is_told(git: Git, shell: Shell) -> None:
    text = SCALE.replace("a * x[i] * x[i]", "sinf(x[i])").replace("float a, ", "")
    commit(git, {"scale.cu": text.replace("sinf(x[i])", "x[i]"), "scale_adj.cu": None})
    commit(git, {"scale.cu": text})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("scale.cu:1: scale: the adjoint changed: ")
    assert "    arguments\n      - x  unused\n      + x  in  values before scale\n" in ran.out
    assert "1 adjoint looked at: 1 changed\n" in ran.out
    told = json.loads(shell("review", "--git", "HEAD~..HEAD", "--no-check", "--format", "json").out)
    (row,) = told["kernels"]
    assert (row["file"], row["line"], row["state"], row["stale"]) == ("scale.cu", 1, "changed", False)
    parts = [one["part"] for one in row["plan"]]
    assert parts == ["arguments"]
    assert [(one["code"], one["file"], one["line"]) for one in told["entries"]] == [
        ("adjoint-changed", "scale.cu", 1)
    ]


def test_a_stale_adjoint_comes_with_the_command_that_writes_it(git: Git, shell: Shell) -> None:
    commit(git, {"scale.cu": SCALE.replace("a * x", "2 * a * x"), "deep/scale.cu": SCALE})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert ran.status == 1
    command = "s2sad transform scale.cu --of y --wrt x -o scale_adj.cu"
    assert f": stale; to write it again:\n      {command}\n" in ran.out
    assert "deep/scale.cu:1: scale: new" in ran.out
    assert shell(*command.split()[1:]).status == 0
    commit(git, {})
    assert shell("review", "--git", "HEAD~2..HEAD", "--no-check").status == 0


def test_an_adjoint_is_made_by_the_options_in_its_header(git: Git, shell: Shell) -> None:
    commit(git, {"scale_adj.cu": adjoint(SCALE, wrt="a,x")})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert ran.status == 0
    assert "adj_a" in ran.out
    assert "stale" not in ran.out
    commit(git, {"out/scale_grad.cu": adjoint(SCALE, names="grad")})
    assert "scale (out/scale_grad.cu): new\n" in shell("review", "--git", "HEAD~..HEAD", "--no-check").out


def test_an_adjoint_that_only_names_other_lines_is_told_apart(git: Git, shell: Shell) -> None:
    commit(git, {"scale.cu": RECORDED, "scale_adj.cu": adjoint(RECORDED)})
    commit(git, {"scale.cu": f"// one\n// two\n{RECORDED}"})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert ran.out.startswith(
        "scale.cu:3: scale (scale_adj.cu): the adjoint names other lines, and is the same"
    )
    assert ran.status == 1
    assert "1 moved, 1 stale" in ran.out


def test_a_line_above_a_kernel_is_no_change_of_its_adjoint(git: Git, shell: Shell) -> None:
    commit(git, {"scale.cu": f"// one\n// two\n{SCALE}"})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert (ran.status, ran.err) == (0, "")
    assert "1 adjoint looked at: 1 same\n" in ran.out


def test_a_changed_header_concerns_the_kernels_that_include_it(git: Git, shell: Shell) -> None:
    text = '#include "deep/more.cuh"\n' + SCALE.replace("a * x[i]", "half_of(a) * x[i]")
    more = "__device__ float half_of(float v) { return 0.5f * v; }\n"
    headers: dict[str, str | None] = {"deep/more.cuh": '#include "most.cuh"\n', "deep/most.cuh": more}
    commit(git, {"half.cu": text, **headers})
    commit(git, {"deep/most.cuh": more.replace("0.5f * v", "0.25f * v * v")})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert ran.out.startswith("half.cu:2: scale: the adjoint changed: ")
    assert "1 adjoint looked at" in ran.out


def test_kernels_that_nobody_wants_an_adjoint_of_are_no_failure(git: Git, shell: Shell) -> None:
    text = REFUSED.split("\n", 1)[1]
    commit(git, {"other.cu": text})
    ran = shell("review", "--git", "HEAD~..HEAD", "--format", "text")
    assert ran.status == 0
    assert ran.out.startswith("other.cu:4:12: note: ")
    commit(git, {"other.cu": f"\n{text}"})
    assert shell("review", "--git", "HEAD~..HEAD", "--format", "text").out == ""
    commit(git, {"scale.cu": SCALE.replace("a * x", "g(a) * x")})
    ran = shell("review", "--git", "HEAD~..HEAD")
    assert ran.status == 2
    assert "scale (scale_adj.cu): differentiated before, now refused" in ran.out
    assert "error[unknown-function]" in ran.err
    commit(git, {"scale.cu": SCALE})
    ran = shell("review", "--git", "HEAD~..HEAD")
    assert "scale (scale_adj.cu): refused before, now differentiated" in ran.out


def test_kernels_and_files_that_are_gone_are_told(git: Git, shell: Shell) -> None:
    commit(git, {"scale.cu": None, "other.cu": SCALE.replace("scale", "other")})
    ran = shell("review", "--git", "HEAD~..HEAD")
    assert ran.status == 1
    assert "scale.cu:1: scale (scale_adj.cu): gone" in ran.out
    assert "other.cu:1: other: new" in ran.out
    assert "scale_adj.cu: its kernel's file scale.cu is gone" in ran.out


def test_an_adjoint_of_an_adjoint_belongs_to_that(git: Git, shell: Shell) -> None:
    tangent = adjoint(SCALE, mode="tangent")
    again = adjoint(tangent, "scale_tan.cu", "tan_y", mode="tangent")
    commit(git, {"scale_tan.cu": tangent, "scale_tan_tan.cu": again})
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert (ran.status, "stale" in ran.out) == (0, False)
    assert "scale_tan.cu:" in ran.out
    assert "(scale_tan_tan.cu): new" in ran.out
    assert "scale.cu:1: scale (scale_tan.cu): new" in ran.out


def test_an_adjoint_in_a_folder_below_is_that_of_the_nearest_kernel(git: Git, shell: Shell) -> None:
    commit(git, {"a/scale.cu": SCALE, "b/scale.cu": SCALE.replace("a * x", "2 * a * x")})
    commit(
        git,
        {
            "b/made/scale_adj.cu": adjoint(SCALE.replace("a * x", "2 * a * x")),
            "c/scale_adj.cu": adjoint(SCALE),
        },
    )
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check")
    assert (ran.status, "stale" in ran.out) == (0, False)
    assert "3 adjoints looked at: 2 same, 1 new" in ran.out  # of another kernel one would be stale


def test_kernels_in_scripts_are_found(git: Git, shell: Shell) -> None:
    def script(text: str) -> str:
        return f'import cupy\n\nKERNEL = """{text}"""\nscale = cupy.RawKernel(KERNEL, "scale")\n'

    commit(git, {"run.py": script(SCALE)})
    commit(git, {"run.py": script(SCALE.replace("a * x", "2 * a * x"))})
    ran = shell("review", "--git", "HEAD~..HEAD")
    assert ran.out.startswith("run.py:3: scale: the adjoint changed: ")


def test_the_work_tree_is_neither_read_nor_touched(git: Git, shell: Shell, tmp_path: Path) -> None:
    commit(git, {"scale.cu": SCALE.replace("a * x", "2 * a * x")})
    (tmp_path / "scale.cu").write_text("what isn't committed\n")
    (tmp_path / "new.cu").write_text(SCALE)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    ran = shell("review", "--git", "main~..", "--no-check")
    assert "scale (scale_adj.cu): the adjoint changed" in ran.out
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_in_a_folder_paths_are_those_of_the_folder(git: Git, shell: Shell, tmp_path: Path) -> None:
    both = {"scale.cu": RECORDED, "scale_adj.cu": adjoint(RECORDED)}
    commit(git, {**both, **{f"deep/{name}": text for name, text in both.items()}})
    commit(git, {"deep/scale.cu": f"\n{RECORDED}", "scale.cu": f"\n{RECORDED}"})
    os.chdir(tmp_path / "deep")
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check", "--format", "text")
    places = [line.split(" ")[0] for line in ran.out.splitlines() if " stale" in line or "error" in line]
    assert places == ["../scale_adj.cu:13:1:", "scale_adj.cu:13:1:"]
    ran = shell("review", "--git", "HEAD~..HEAD", "--no-check", "--format", "text", ".")
    assert [line.split(" ")[0] for line in ran.out.splitlines() if "error" in line] == ["scale_adj.cu:13:1:"]


def test_three_dots_begin_where_the_branch_began(git: Git, shell: Shell) -> None:
    git("checkout", "-q", "-b", "mine")
    commit(git, {"mine.cu": SCALE})
    git("checkout", "-q", "main")
    commit(git, {"theirs.cu": SCALE})
    assert "theirs.cu" in shell("review", "--git", "main..mine", "--no-check").out
    ran = shell("review", "--git", "main...mine", "--no-check")
    assert "mine.cu:1: scale: new" in ran.out
    assert "theirs.cu" not in ran.out


def test_the_step_of_the_page_on_ci_runs(git: Git, shell: Shell) -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (step,) = re.findall(r"- run: s2sad (review --git .*)$", text, flags=re.MULTILINE)
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    commit(git, {"scale.cu": CHANGED})
    ran = shell(*step.replace("${{ github.base_ref }}", "main").split())
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.startswith("::error file=scale_adj.cu,line=")


def test_errors_are_clear(
    git: Git, shell: Shell, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ran = shell("review", "--git", "none..HEAD")
    assert (ran.status, ran.out) == (2, "")
    assert "error[no-commit]: the repository has no commit none" in ran.err
    assert shell("review", "--git", "--all..HEAD").status == 2
    for words in (("main",), ("a..b", "-o", "x"), ("a..b", "--serve"), ("a..b", "--of", "y")):
        assert shell("review", "--git", *words).status == 3
    git("rm", "-q", "scale.cu", "scale_adj.cu")
    git("commit", "-q", "-m", "none left")
    git("commit", "-q", "-m", "nor here", "--allow-empty")
    ran = shell("review", "--git", "HEAD~..HEAD")
    assert (ran.status, ran.out) == (2, "")
    assert "error[no-kernel]: HEAD~..HEAD has no kernel" in ran.err
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
    ran = shell("review", "--git", "a..b")
    assert (ran.status, ran.out) == (2, "")
    assert "error[no-repository]" in ran.err


def test_without_git_the_tool_is_named(git: Git, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(shutil.which("cat") or "").parent / "none"))
    ran = shell("review", "--git", "HEAD..HEAD")
    assert (ran.status, ran.out) == (4, "")
    assert "git" in ran.err


def test_the_page_on_ci_shows_what_is_printed(git: Git, shell: Shell) -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    relax = (ROOT / "examples" / "relax.cu").read_text(encoding="utf-8")
    commit(git, {"relax.cu": relax, "relax_adj.cu": adjoint(relax, "relax.cu", wrt="x,w")})
    commit(git, {"relax.cu": relax.replace("sinf", "expf")})
    ran = shell("review", "--git", "HEAD~..HEAD", "relax.cu")
    assert f"```text\n{ran.out.split(chr(10) * 2)[0]}\n```" in text
