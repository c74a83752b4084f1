"""Structs by value that hold pointers: cases and arguments with an entry for each field, run and judged."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.cli import main

VIEW = """\
struct View { const float *x; float *out; int n; float gain; };

extern "C" __global__ void squares(View v, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v.n)
        v.out[i] = v.gain * v.x[i] * v.x[i];
}
"""
CASE = """\
kernel = "squares"
of = ["v"]
wrt = ["v"]
[launch]
grid = "(n + 31) / 32"
block = 32
[args]
v = { x = { shape = "n", fill = "normal" }, out = { shape = "n", fill = "zeros" }, n = 45, gain = 0.7 }
y = { shape = 3, fill = "zeros" }
"""
X = np.random.default_rng(1).normal(size=9).astype(np.float32)


def args() -> dict[str, object]:
    return {
        "v": {"x": X, "out": np.zeros(9, np.float32), "n": 9, "gain": 0.5},
        "y": np.zeros(1, np.float32),
    }


@pytest.fixture(scope="module")
def adjoint() -> s2sad.Adjoint:
    return s2sad.transform(VIEW, name="view.cu", of="v", wrt="v")


def judged(
    folder: Path, case: str, edited: str, capsys: pytest.CaptureFixture[str], primal: str = VIEW
) -> tuple[int, str]:
    for name, text in (("view.cu", primal), ("view.toml", case), ("view_adj.cu", edited)):
        (folder / name).write_text(text, encoding="utf-8")
    files = [str(folder / "view.cu"), *([str(folder / "view_adj.cu")] if edited else [])]
    with pytest.raises(SystemExit) as left:
        main(["check", *files, "--backend", "cpu"])
    return int(left.value.code or 0), capsys.readouterr().err


def test_each_field_of_the_adjoint_has_a_use_of_its_own(adjoint: s2sad.Adjoint) -> None:
    found = next(p for p in adjoint.signature.to_dict()["parameters"] if p["name"] == "adj_v")  # type: ignore[attr-defined]
    assert found["fields"] == {"x": "accumulates", "out": "seed", "gain": "accumulates"}
    assert re.search(r"//   adj_v\.out +in +dJ/dv\.out; not modified \(", adjoint.source)
    assert re.search(r"//   adj_v\.x, adj_v\.gain +in/out +dJ/dv\.x, dJ/dv\.gain are added\n", adjoint.source)


def test_a_dictionary_of_arrays_goes_in_and_arrays_by_field_come_out(adjoint: s2sad.Adjoint) -> None:
    result = s2sad.gradient(adjoint, grid=1, block=32, args=args(), backend="cpu")  # type: ignore[arg-type]
    assert np.allclose(result.outputs["v.out"], 0.5 * X * X)
    assert np.allclose(result.gradients["v.x"], X)
    assert np.allclose(result.gradients["v.gain"], np.sum(X * X))


@pytest.mark.parametrize("seeds", [{"v": {"out": np.arange(9.0)}}, {"v.out": np.arange(9.0)}])
def test_seeds_are_given_by_field(adjoint: s2sad.Adjoint, seeds: dict[str, object]) -> None:
    result = s2sad.gradient(adjoint, grid=1, block=32, args=args(), seeds=seeds, backend="cpu")  # type: ignore[arg-type]
    assert np.allclose(result.gradients["v.x"], X * np.arange(9))


def test_tangents_are_given_by_field(adjoint: s2sad.Adjoint) -> None:
    given = {"v": {"x": np.ones(9)}}
    found = s2sad.jvp(adjoint, grid=1, block=32, args=args(), tangents=given, backend="cpu")  # type: ignore[arg-type]
    assert np.allclose(found.tangents["v.out"], X)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"x": X, "n": 9, "gain": 0.5}, "no value for v.out"),
        ({"x": X, "out": X, "m": 3}, "v: dict for View, which holds pointers"),
        (X, "v: ndarray for View, which holds pointers"),
    ],
)
def test_what_does_not_fit_is_refused(adjoint: s2sad.Adjoint, given: object, told: str) -> None:
    with pytest.raises(s2sad.Rejected, match=told):
        s2sad.gradient(adjoint, grid=1, block=32, args={**args(), "v": given}, backend="cpu")  # type: ignore[dict-item]


@pytest.mark.parametrize("primal", [VIEW, VIEW.replace("float gain;", "double gain; bool *seen;")])
def test_the_starting_case_runs(primal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "view.cu").write_text(primal)
    with pytest.raises(SystemExit):
        main(["case", str(tmp_path / "view.cu")])
    draft = capsys.readouterr().out
    assert 'x = { shape = "v.n", fill = "normal" }' in draft
    status, said = judged(tmp_path, draft, "", capsys, primal)
    assert status == 0, said


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", "ok"),
        ("2.0f * v.gain", "2.1f * v.gain", "gradient of v.x"),
        ("adj_v->out[i];", "adj_v->out[i]; adj_v->out[i] = 0.0f;", "adj_v.out"),
        ("(i < v.n)", "(i <= v.n)", "adj_v.out[45]"),
        ("((float *)adj_v->x)[i] +=", "((float *)adj_v->x)[i / 2] +=", "race on adj_v.x"),
    ],
)
def test_an_edit_is_judged_through_the_pointers(
    old: str,
    new: str,
    told: str,
    adjoint: s2sad.Adjoint,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert old in adjoint.source
    edited = adjoint.source.replace(old, new) if old else adjoint.source
    status, said = judged(tmp_path, CASE, edited, capsys)
    assert (status, told in said) == (int(bool(old)), True), said


def test_a_field_that_a_case_leaves_out_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASE.replace('out = { shape = "n", fill = "zeros" }, ', "")
    status, said = judged(tmp_path, case, "", capsys)
    assert status == 2
    assert 'v = { out = { shape = "n", fill = "normal" } }' in said


ROWS = """\
struct Rows { const float *x; int n; };
struct Result { float *y; float scale; };

__global__ void scaled(Rows in, Result out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < in.n)
        out.y[i] = out.scale * in.x[i] * in.x[(i + 1) % in.n];
}
"""


def rows() -> dict[str, object]:
    return {"in": {"x": X, "n": 9}, "out": {"y": np.zeros(9, np.float32), "scale": 0.5}}


@pytest.mark.parametrize("options", [{}, {"mode": "split"}, {"seeds": 2}])
def test_the_adjoint_of_nothing_but_what_pointers_point_to_is_passed_by_value(
    options: dict[str, object],
) -> None:
    adjoint = s2sad.transform(ROWS, name="rows.cu", of="out", wrt="in", **options)  # type: ignore[arg-type]
    found = {p["name"]: p for p in adjoint.signature.to_dict()["parameters"]}  # type: ignore[attr-defined]
    assert [found[name]["type"] for name in ("adj_in", "adj_out")] == ["Rows", "Result"]
    assert found["adj_out"]["fields"] == {"y": "seed"}
    assert "((float *)adj_in.x)[" in adjoint.source


def test_a_number_beside_pointers_makes_it_a_pointer() -> None:
    adjoint = s2sad.transform(ROWS, name="rows.cu", of="out", wrt=["in", "out"])
    assert "Rows in, Rows adj_in, " in adjoint.source
    assert "Result out, Result *adj_out)" in adjoint.source


def test_a_field_that_is_not_asked_for_has_no_tangent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.cu").write_text(ROWS)
    (tmp_path / "rows.toml").write_text(
        'kernel = "scaled"\nof = ["out"]\nwrt = ["in"]\nlaunch = { grid = 2, block = 32 }\n'
        'args.in = { x = { shape = "in.n", fill = "normal" }, n = 45 }\n'
        'args.out = { y = { shape = "in.n", fill = "zeros" }, scale = 0.7 }\n'
    )
    for mode in ("tangent", "second-order"):
        with pytest.raises(SystemExit) as left:
            main(["check", str(tmp_path / "rows.cu"), "--backend", "cpu", "--mode", mode])
        said = capsys.readouterr().err
        assert (left.value.code or 0) == 0, said
        assert "exact tangents" in said
    given = {"in": {"x": np.ones(9)}}
    found = s2sad.jvp(ROWS, of="out", wrt="in", grid=1, block=32, args=rows(), tangents=given, backend="cpu")  # type: ignore[arg-type]
    assert np.allclose(found.tangents["out.y"], 0.5 * (X + np.roll(X, -1)))
