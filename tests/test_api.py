"""The Python interface, as documented on its page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import s2sad

RELAX = Path(__file__).parents[1] / "examples" / "relax.cu"
SCALE = """\
extern "C" __global__ void scale(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i];
}
"""


def scale(**more: object) -> dict[str, object]:
    x = np.linspace(-1, 1, 20, dtype=np.float32)
    found: dict[str, object] = {"name": "scale.cu", "of": "y", "wrt": "x,a", "grid": 2, "block": 16}
    found["args"] = {"x": x, "y": np.zeros_like(x), "a": 1.5, "n": 20}
    return {**found, **more}


def test_an_adjoint_has_a_text_a_plan_a_name_and_a_signature() -> None:
    adjoint = s2sad.transform(RELAX, kernel="relax", of=["y"], wrt=["x", "w"])
    assert "void relax_adj(" in adjoint.source
    assert adjoint.kernel_name == "relax_adj"
    uses = {a.name: a.use for a in adjoint.signature.arguments if a.role == "adjoint"}
    assert uses == {"adj_x": "accumulates", "adj_w": "accumulates", "adj_y": "seed"}
    assert set(adjoint.plan.to_dict()) == {"decisions", "accumulations", "assumptions", "kinks"}
    assert isinstance(adjoint.plan.table(), str)
    assert adjoint.warnings == ()


def test_a_text_is_transformed_under_the_name_it_is_given() -> None:
    adjoint = s2sad.transform(SCALE, name="scale.cu", of="y", wrt="x")
    assert adjoint.source.startswith("// scale_adj: adjoint of scale (scale.cu:1)")


def test_a_refusal_carries_its_diagnostics() -> None:
    with pytest.raises(s2sad.Rejected) as caught:
        s2sad.transform(SCALE, name="scale.cu", of="z", wrt="n")
    assert [d.code.slug for d in caught.value.diagnostics] == ["no-such-parameter", "not-floating"]
    assert "scale.cu:1:28" in str(caught.value)


def test_a_gradient_is_that_of_the_formula_and_the_arguments_stay_as_they_were() -> None:
    given = scale()
    args = given["args"]
    assert isinstance(args, dict)
    before = {name: np.array(value, copy=True) for name, value in args.items()}
    result = s2sad.gradient(SCALE, **given)  # type: ignore[arg-type]  # a dictionary of arguments
    x = args["x"].astype(np.float64)
    assert np.allclose(result.outputs["y"], 1.5 * x * x, rtol=1e-6)
    assert np.allclose(result.gradients["x"], 3 * x, rtol=1e-6)
    assert result.gradients["x"].dtype == np.float32
    assert result.gradients["a"].shape == ()
    assert np.isclose(result.gradients["a"], (x * x).sum(), rtol=1e-5)
    assert all(np.array_equal(args[name], before[name]) for name in args)


def test_seeds_are_ones_unless_they_are_given() -> None:
    seeds = {"y": np.arange(20, dtype=np.float32)}
    plain = s2sad.gradient(SCALE, **scale())  # type: ignore[arg-type]
    seeded = s2sad.gradient(SCALE, **scale(seeds=seeds))  # type: ignore[arg-type]
    assert np.allclose(seeded.gradients["x"], plain.gradients["x"] * seeds["y"])


def test_a_tangent_is_that_of_the_launch() -> None:
    along = {"x": np.linspace(-1, 1, 20, dtype=np.float32), "a": 0.5}
    given = scale(tangents=along)
    given.pop("seeds", None)
    args = given["args"]
    assert isinstance(args, dict)
    x, a, n = args["x"], args["a"], args["n"]
    result = s2sad.jvp(SCALE, **given)  # type: ignore[arg-type]
    expected = 2 * a * x * along["x"] + 0.5 * x * x
    assert np.allclose(result.tangents["y"][:n], expected[:n], rtol=1e-6)
    assert np.allclose(result.outputs["y"][:n], a * (x * x)[:n], rtol=1e-6)
    assert result.tangents["y"].dtype == np.float32
    apart = s2sad.jvp(SCALE, **given, isolated=True)  # type: ignore[arg-type]
    assert np.array_equal(apart.tangents["y"], result.tangents["y"])


def test_tangents_and_gradients_are_two_sides_of_one_derivative() -> None:
    v = np.cos(np.arange(20)).astype(np.float32)
    pushed = s2sad.jvp(SCALE, **scale(tangents={"x": v}))  # type: ignore[arg-type]
    pulled = s2sad.gradient(SCALE, **scale())  # type: ignore[arg-type]
    assert np.isclose(pushed.tangents["y"].sum(), (pulled.gradients["x"] * v).sum(), rtol=1e-5)


def test_tangents_that_do_not_fit_are_refused_all_at_once() -> None:
    wrong = {"n": 1, "x": np.ones(3), "nothing": 1.0}
    with pytest.raises(s2sad.Rejected) as caught:
        s2sad.jvp(SCALE, **scale(wrt="x", tangents=wrong))  # type: ignore[arg-type]
    assert [d.code.slug for d in caught.value.diagnostics] == ["argument-value"] * 3


def test_an_adjoint_is_run_without_transforming_it_again() -> None:
    adjoint = s2sad.transform(SCALE, name="scale.cu", of="y", wrt="x")
    args = scale()["args"]
    assert isinstance(args, dict)
    once = s2sad.gradient(adjoint, grid=2, block=16, args=args)
    apart = s2sad.gradient(adjoint, grid=(2,), block=(16, 1), args=args, isolated=True)
    assert np.array_equal(once.gradients["x"], apart.gradients["x"])


def test_arguments_that_do_not_fit_are_refused_all_at_once() -> None:
    with pytest.raises(s2sad.Rejected) as caught:
        s2sad.gradient(SCALE, **scale(args={"x": np.zeros(20), "m": 3}))  # type: ignore[arg-type]
    assert {d.code.slug for d in caught.value.diagnostics} >= {"argument-missing", "argument-unknown"}


def test_arrays_that_overlap_where_one_is_written_are_refused() -> None:
    """A launch in place differs from one with separate arrays."""
    x = np.linspace(0.1, 1.0, 40, dtype=np.float32)
    over = scale(args={"x": x[:20], "y": x[4:24], "a": 2.0, "n": 20})
    with pytest.raises(s2sad.Rejected) as caught:
        s2sad.gradient(SCALE, **over)  # type: ignore[arg-type]
    (found,) = caught.value.diagnostics
    assert found.code.slug == "overlapping-arguments"
    assert found.title == "x and y share memory, and scale writes y"
    apart = scale(args={"x": x[::2], "y": x[1::2], "a": 2.0, "n": 20})
    assert s2sad.gradient(SCALE, **apart).gradients["x"].shape == (20,)  # type: ignore[arg-type]


def test_a_check_reports_how_good_an_adjoint_is(tmp_path: Path) -> None:
    report = s2sad.check(RELAX, case=RELAX.with_suffix(".toml"), backend="cpu")
    assert report.ok
    assert report.worst < 1e-6
    assert report.to_dict()["kernel"] == "relax_adj"
    assert s2sad.check(RELAX).ok  # the case is beside it


def test_the_gpu_is_unavailable_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("cuda.bindings", "pycuda"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(s2sad.BackendUnavailable, match=r"s2sad\[cuda\]"):
        s2sad.gradient(SCALE, **scale(backend="cuda"))  # type: ignore[arg-type]


def test_what_is_not_built_yet_is_refused_by_name() -> None:
    with pytest.raises(s2sad.Rejected, match="tangent"):
        s2sad.transform(SCALE, name="scale.cu", mode="tangent")  # type: ignore[arg-type]  # on purpose


def test_the_public_names_are_all_there() -> None:
    for name in s2sad.__all__:
        assert getattr(s2sad, name) is not None
    assert dir(s2sad) == sorted(s2sad.__all__)
    with pytest.raises(AttributeError, match="flog"):
        _ = s2sad.flog
