"""The Python interface, as documented on its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
    assert adjoint.source.startswith("// scale_adj: adjoint of scale (scale.cu)")


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


def test_a_text_is_recognised_by_its_lines_or_its_kernel(tmp_path: Path) -> None:
    named = s2sad.transform(SCALE, name="scale.cu", of="y", wrt="x")
    text = s2sad.transform(SCALE, of="y", wrt="x")
    assert text.source.startswith("// scale_adj: adjoint of scale (<string>)")
    assert "s2sad transform - " in text.source
    assert text.source.partition("__global__")[2] == named.source.partition("__global__")[2]
    line = " ".join(SCALE.split())
    assert s2sad.transform(line, of="y", wrt="x").kernel_name == "scale_adj"
    with pytest.raises(s2sad.Rejected, match=r"absent\.cu"):
        s2sad.transform("absent.cu", of="y", wrt="x")
    file = tmp_path / "scale.cu"
    file.write_text(SCALE)
    for path in (file, str(file)):
        assert s2sad.transform(path, of="y", wrt="x").kernel_name == "scale_adj"
    given = scale(name=None)
    assert s2sad.gradient(SCALE, **given).gradients["x"].shape == (20,)  # type: ignore[arg-type]


def test_a_check_takes_arguments_instead_of_a_case() -> None:
    given = scale(name=None)
    report = s2sad.check(SCALE, **given)  # type: ignore[arg-type]
    assert report.ok
    assert [(row.name, row.elements) for row in report.rows if row.name in "xa"] == [("x", 20), ("a", 1)]
    wrong = s2sad.transform(SCALE, of="y", wrt="x,a").source.replace("2.0f", "3.0f")
    found = s2sad.check(SCALE, wrong, **given)  # type: ignore[arg-type]
    assert not found.ok
    assert found.wrong
    strict = s2sad.check(SCALE, **given, tolerance=1e-3)  # type: ignore[arg-type]
    assert strict.tolerance == 1e-3


def test_a_check_of_an_adjoint_does_not_transform_it_again() -> None:
    adjoint = s2sad.transform(SCALE, of="y", wrt="x", mode="split")
    given = {key: value for key, value in scale().items() if key in ("args", "grid", "block")}
    report = s2sad.check(adjoint, **given)  # type: ignore[arg-type]
    assert report.ok
    assert report.kernel == "scale_adj"


def test_a_check_takes_structs_as_gradient_does() -> None:
    kernel = """
    __global__ void pull(const float3 *p, float *y, int n)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n)
            y[i] = p[i].x * p[i].y + p[i].z * p[i].z;
    }
    """
    p = np.random.default_rng(1).standard_normal((20, 3))
    report = s2sad.check(kernel, args={"p": p, "y": np.zeros(20), "n": 20}, grid=2, block=16, of="y", wrt="p")
    assert report.ok
    assert {row.name for row in report.rows} >= {"p.x", "p.y", "p.z"}


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"grid": None}, "a launch without grid"),
        ({"case": "scale.toml"}, "a case and arguments"),
        ({"tolerance": 2.0}, "tolerance 2.0"),
        ({"args": None, "grid": None, "block": None, "shared_bytes": 64}, "shared_bytes without arguments"),
        ({"template": {"T": []}}, "no template argument for T"),
    ],
)
def test_a_check_that_is_called_wrongly_is_refused(more: dict[str, object], what: str) -> None:
    with pytest.raises(s2sad.Rejected, match=what):
        s2sad.check(SCALE, **scale(**more))  # type: ignore[arg-type]


def test_arguments_of_a_check_that_do_not_fit_are_refused_all_at_once() -> None:
    with pytest.raises(s2sad.Rejected) as caught:
        s2sad.check(SCALE, **scale(args={"x": np.zeros(20), "m": 3}))  # type: ignore[arg-type]
    assert {d.code.slug for d in caught.value.diagnostics} >= {"argument-missing", "argument-unknown"}
    with pytest.raises(s2sad.Rejected, match="grid"):
        s2sad.check(SCALE, **scale(grid=0))  # type: ignore[arg-type]


AXPY = """
template <typename T> __global__ void axpy(T a, const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i] * x[i];
}
"""


def test_several_types_of_a_template_are_checked_or_kept() -> None:
    x = np.linspace(-1, 1, 20)
    launch = {"args": {"a": 2.0, "x": x, "y": x[::-1].copy(), "n": 20}, "grid": 2, "block": 16}
    types = {"T": ["float", "double"]}
    report = s2sad.check(AXPY, of="y", wrt="x", template=types, **launch)  # type: ignore[arg-type]
    assert report.ok
    assert report.notes[-1] == "of several instances, this is the one for T = float"
    one = s2sad.check(AXPY, of="y", wrt="x", template={"T": "double"}, **launch)  # type: ignore[arg-type]
    assert not any("instances" in note for note in one.notes)
    kept = s2sad.transform(AXPY, of="y", wrt="x", template=types, keep_template=True)
    for real in types["T"]:
        assert f"axpy_adj<{real}>" in kept.source
    assert s2sad.check(kept, **launch).ok  # type: ignore[arg-type]
    with pytest.raises(s2sad.Rejected, match="several template arguments for T"):
        s2sad.transform(AXPY, of="y", wrt="x", template=types)


def test_an_instances_wrong_adjoint_is_reported() -> None:
    wrong = s2sad.transform(AXPY, of="y", wrt="x", template={"T": "double"}).source.replace("2.0", "3.0")
    x = np.linspace(-1, 1, 20)
    args = {"a": 2.0, "x": x, "y": x[::-1].copy(), "n": 20}
    types = {"T": ["double"]}
    found = s2sad.check(AXPY, wrong, of="y", wrt="x", template=types, args=args, grid=2, block=16)
    assert found.wrong


def test_the_gpu_is_unavailable_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("cuda.bindings", "pycuda"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(s2sad.BackendUnavailable, match=r"s2sad\[cuda\]"):
        s2sad.gradient(SCALE, **scale(backend="cuda"))  # type: ignore[arg-type]


PAIRS = """__global__ void pairs(const double *x, double a, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[(i + 1) % n] * x[i];
}
"""


def pairs(n: int = 3) -> dict[str, Any]:
    x = np.linspace(0.5, 1.5, n)
    return {"grid": 1, "block": 4, "args": {"x": x, "a": 0.5, "y": np.zeros(n), "n": n}}


def test_second_derivatives_are_those_of_the_formula() -> None:
    launch, n = pairs(), 3
    x, v = launch["args"]["x"], np.array([1.0, -2.0, 0.5])
    expected = np.zeros((n, n))  # of 0.5 * sum of x[i]^2 x[i + 1]
    for i in range(n):
        k = (i + 1) % n
        expected[i, i] += x[k]
        expected[i, k] += x[i]
        expected[k, i] += x[i]
    found = s2sad.hessian(PAIRS, of="y", wrt="x", **launch)
    assert np.allclose(found["x", "x"], expected, rtol=1e-14)
    product = s2sad.hvp(PAIRS, of="y", wrt="x", tangents={"x": v}, **launch)
    assert np.allclose(product.products["x"], expected @ v, rtol=1e-14)
    assert np.allclose(
        product.gradients["x"], s2sad.gradient(PAIRS, of="y", wrt="x", **launch).gradients["x"]
    )
    mixed = s2sad.hessian(PAIRS, of="y", wrt="x,a", **launch)
    assert mixed["a", "a"].shape == ()
    assert np.allclose(mixed["x", "a"], mixed["a", "x"])


def test_a_jacobian_has_rows_by_tangents_or_by_adjoints() -> None:
    launch = pairs()
    x = launch["args"]["x"]
    forward = s2sad.jacobian(PAIRS, of="y", wrt="x", **launch)["y", "x"]
    reverse = s2sad.jacobian(PAIRS, of="y", wrt="x,a", **launch)  # four inputs, three outputs
    assert np.allclose(forward, reverse["y", "x"], rtol=1e-14)
    assert np.allclose(reverse["y", "a"], x * x * np.roll(x, -1), rtol=1e-14)
    assert np.allclose(np.diag(forward), x * np.roll(x, -1), rtol=1e-14)


def test_a_draft_for_second_order_is_completed_by_what_the_adjoint_reads() -> None:
    text = """__global__ void rows(const float *x, float *y, int n)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n)
            y[i] = x[4 * i + 3] * x[4 * i] * x[4 * i];
    }
    """
    assert s2sad.check(text, mode="second-order").ok


def test_a_kernel_of_first_order_has_no_second_derivatives() -> None:
    adjoint = s2sad.transform(PAIRS, of="y", wrt="x")
    with pytest.raises(s2sad.Rejected, match="first order"):
        s2sad.hvp(adjoint, tangents={"x": np.ones(3)}, **pairs())
    tangent = s2sad.transform(PAIRS, of="y", wrt="x", mode="tangent")
    assert tangent.kernel_name == "pairs_tan"
    launch = pairs()
    assert s2sad.check(tangent, **launch).ok
    assert s2sad.check(s2sad.transform(PAIRS, of="y", wrt="x", mode="second-order"), **launch).ok


def test_the_public_names_are_all_there() -> None:
    for name in s2sad.__all__:
        assert getattr(s2sad, name) is not None
    assert dir(s2sad) == sorted(s2sad.__all__)
    with pytest.raises(AttributeError, match="flog"):
        _ = s2sad.flog


class OnGpu:
    """Stands for an array of CuPy or PyTorch on a GPU, which numpy can't convert."""

    ndim = 1

    def __init__(self, requires_grad: bool = False) -> None:
        self.requires_grad = requires_grad

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        if self.requires_grad:
            raise RuntimeError("Can't get __cuda_array_interface__ on Variable that requires grad")
        return {"shape": (20,), "typestr": "<f4", "data": (1 << 40, False), "version": 3}

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")


@pytest.mark.parametrize("requires_grad", [False, True])
def test_an_array_on_a_gpu_is_refused_by_name(requires_grad: bool) -> None:
    given = scale()
    args = given["args"]
    assert isinstance(args, dict)
    for more in ({"args": args | {"x": OnGpu(requires_grad)}}, {"seeds": {"y": OnGpu(requires_grad)}}):
        with pytest.raises(s2sad.Rejected, match="an array on a GPU"):
            s2sad.gradient(SCALE, **scale(**more))  # type: ignore[arg-type]
