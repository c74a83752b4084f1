"""Hand-written adjoints, compiled and run: the right ones pass at 1e-8, each seeded fault fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from validate_kit import adjoint, array, number, signatures

from s2sad.diagnostics import Rejected
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.run.registry import find
from s2sad.signature import Argument
from s2sad.validate import Case, Pair, Report, check_pair, draft, gradient


@dataclass(frozen=True)
class Example:
    """A primal, its adjoint, a case, and faults: text to replace and by what."""

    name: str
    primal: str
    adjoint: str
    parameters: Sequence[Argument]
    adjoints: Sequence[Argument]
    of: Sequence[str]
    wrt: Sequence[str]
    args: str
    faults: Sequence[tuple[str, str]] = field(default=())
    split: bool = False
    tape: bool = False

    def pair(self, fault: tuple[str, str] | None = None) -> Pair:
        k, k_adj, k_fwd = signatures(
            self.name, self.parameters, self.adjoints, of=self.of, wrt=self.wrt, tape=self.tape
        )
        text = self.adjoint
        if fault:
            assert fault[0] in text
            text = text.replace(*fault, 1)
        return Pair(self.primal, text, k, k_adj, k_fwd if self.split else None)

    def case(self) -> Case:
        return Case.parse(
            '[launch]\ngrid = "(n + 63) / 64"\nblock = 64\n[args]\n' + self.args, self.pair().primal
        )


SAXPY = Example(
    "saxpy",
    """
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * y[i];
}
""",
    """
extern "C" __global__ void saxpy_adj(int n, float a, float *adj_a, const float *x, float *adj_x,
                                     float *y, float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float g = adj_y[i];
        adj_y[i] = a * x[i] * g;
        adj_x[i] += a * y[i] * g;
        atomicAdd(adj_a, x[i] * y[i] * g);
    }
}
""",
    (number("n"), number("a", "float"), array("x"), array("y", written=True)),
    (adjoint("a", "accumulates"), adjoint("x", "accumulates"), adjoint("y", "replaced")),
    ["y"],
    ["a", "x", "y"],
    'n = 90\na = 0.8\nx = { shape = "n", fill = "normal" }\ny = { shape = "n + 5", fill = "normal" }\n',
    faults=[
        ("adj_x[i] += a", "adj_x[i] -= a"),
        ("adj_x[i] +=", "adj_x[i] ="),
        ("adj_y[i] = a * x[i] * g;", "adj_y[i] = 0.0f;"),
        ("adj_y[i] = a * x[i] * g;", ""),
        ("atomicAdd(adj_a, x[i] * y[i] * g);", ""),
        ("atomicAdd(adj_a, x[i] * y[i] * g);", "*adj_a = x[i] * y[i] * g;"),
        ("if (i < n) {", "if (i >= n && i < n + 5) adj_y[i] = 0.0f;\n    if (i < n) {"),
    ],
)

GATHER = Example(
    "blend",
    """
extern "C" __global__ void blend(const float *x, const int *idx, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = 0.25f * x[i - 1] + sinf(x[idx[i]]) * x[i + 1];
}
""",
    """
extern "C" __global__ void blend_adj(const float *x, float *adj_x, const int *idx, float *y,
                                     const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        float g = adj_y[i];
        atomicAdd(&adj_x[i + 1], sinf(x[idx[i]]) * g);
        atomicAdd(&adj_x[idx[i]], cosf(x[idx[i]]) * x[i + 1] * g);
        atomicAdd(&adj_x[i - 1], 0.25f * g);
    }
}
""",
    (
        array("x"),
        array("idx", type="int"),
        Argument("y", "float", pointer=True, written=True, use="unused"),
        number("n"),
    ),
    (adjoint("x", "accumulates"), adjoint("y", "seed")),
    ["y"],
    ["x"],
    'n = 100\nx = { shape = "n", fill = "normal" }\nidx = { shape = "n", fill = "randint(0, n)" }\n'
    'y = { shape = "n", fill = "zeros" }\n',
    faults=[
        ("atomicAdd(&adj_x[i - 1], 0.25f * g);", ""),
        ("0.25f * g", "0.2500003f * g"),
        ("cosf(x[idx[i]])", "sinf(x[idx[i]])"),
        ("adj_x[idx[i]]", "adj_x[i]"),
        ("x[i + 1] * g", "x[i + 1] * g + 0.0f * y[i]"),
    ],
)

TAPED = {
    "parameters": (array("x", written=True), number("steps"), number("n")),
    "adjoints": (adjoint("x", "replaced"),),
    "of": ["x"],
    "wrt": ["x"],
    "args": 'n = 70\nsteps = 5\nx = { shape = "n", fill = "uniform(0.1, 0.9)" }\n',
    "tape": True,
}

LOGISTIC = """
extern "C" __global__ void logistic(float *x, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        for (int k = 0; k < steps; ++k)
            v = 3.7f * v * (1.0f - v);
        x[i] = v;
    }
}
"""
TAPE_BYTES = """
#ifndef __CUDACC_RTC__
extern "C" size_t logistic_adj_tape_bytes(dim3 grid, dim3 block, int steps, int n)
{
    return 16 + sizeof(float) * steps * grid.x * block.x;
}
#endif
"""
FORWARD = """
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float *tape_v = (float *)(tape + 16);
    if (i < n) {
        float v = x[i];
        for (int k = 0; k < steps; ++k) {
            tape_v[k * all + i] = v;
            v = 3.7f * v * (1.0f - v);
        }
"""
REVERSE = """
        float adj_v = adj_x[i];
        for (int k = steps - 1; k >= 0; --k)
            adj_v = 3.7f * (1.0f - 2.0f * tape_v[k * all + i]) * adj_v;
        adj_x[i] = adj_v;
    }
}
"""
JOINT = Example(
    "logistic",
    LOGISTIC,
    TAPE_BYTES
    + 'extern "C" __global__ void logistic_adj(float *x, float *adj_x, int steps, int n, char *tape)\n{'
    + FORWARD
    + REVERSE,
    faults=[
        ("tape_v[k * all + i] = v;", ""),
        ("steps - 1; k >= 0", "steps - 2; k >= 0"),
        ("adj_x[i] = adj_v", "adj_x[i] += adj_v"),
    ],
    **TAPED,  # type: ignore[arg-type]
)
SPLIT = Example(
    "logistic",
    LOGISTIC,
    TAPE_BYTES
    + 'extern "C" __global__ void logistic_fwd(float *x, int steps, int n, char *tape)\n{'
    + FORWARD
    + "        x[i] = v;\n    }\n}\n"
    + 'extern "C" __global__ void logistic_adj(float *x, float *adj_x, int steps, int n, char *tape)\n{'
    + """
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float *tape_v = (float *)(tape + 16);
    if (i < n) {"""
    + REVERSE,
    faults=[("        x[i] = v;\n", ""), ("tape_v[k * all + i] = v;", "tape_v[i] = v;")],
    split=True,
    **TAPED,  # type: ignore[arg-type]
)

EXAMPLES = {"saxpy": SAXPY, "blend": GATHER, "joint": JOINT, "split": SPLIT}


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


def judged(example: Example, cpu: Backend, fault: tuple[str, str] | None = None) -> Report:
    return check_pair(example.pair(fault), example.case(), cpu, tolerance=1e-8)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_right_adjoint_passes_at_1e_8(name: str, cpu: Backend) -> None:
    report = judged(EXAMPLES[name], cpu)
    assert report.ok, report.text()
    assert report.worst < 1e-9


FAULTS = [(name, i) for name, example in EXAMPLES.items() for i in range(len(example.faults))]


@pytest.mark.parametrize(
    ("name", "i"), FAULTS, ids=[f"{n}: {EXAMPLES[n].faults[i][1] or 'left out'}" for n, i in FAULTS]
)
def test_a_seeded_fault_fails(name: str, i: int, cpu: Backend) -> None:
    report = judged(EXAMPLES[name], cpu, EXAMPLES[name].faults[i])
    assert not report.ok, report.text()


def test_a_store_beyond_an_array_fails(cpu: Backend) -> None:
    report = judged(SAXPY, cpu, ("float g = adj_y[i];", "float g = adj_y[i]; adj_x[n] = 0.0f;"))
    assert "saxpy_adj writes beyond the ends of adj_x" in [f.what for f in report.findings if not f.ok]


def test_a_tape_that_is_sized_by_a_literal_4_fails(cpu: Backend) -> None:
    report = judged(JOINT, cpu, ("sizeof(float) * steps", "4 * steps"))
    assert "logistic_adj writes beyond the ends of tape" in [f.what for f in report.findings if not f.ok]


def test_an_adjoint_that_crashes_fails_and_the_check_lives_on() -> None:
    with Isolated("cpu") as backend:
        fault = ("float g = adj_y[i];", "float g = adj_y[i]; adj_x[n * 100000000L] = 0.0f;")
        report = judged(SAXPY, backend, fault)
        assert not report.ok
        assert report.worst == np.inf
        assert "saxpy_adj crashed" in report.text()
        assert judged(SAXPY, backend).ok


UNGUARDED = Example(
    "twice",
    """
extern "C" __global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * x[i];
}
""",
    """
extern "C" __global__ void twice_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    adj_x[i] += 2.0f * x[i] * adj_y[i];
}
""",
    (array("x"), array("y", written=True), number("n")),
    (adjoint("x", "accumulates"), adjoint("y", "seed")),
    ["y"],
    ["x"],
    'n = 64\nx = { shape = "n", fill = "normal" }\ny = { shape = "n", fill = "normal" }\n',
)


def test_a_kernel_that_needs_its_one_block_gets_it(cpu: Backend) -> None:
    report = judged(UNGUARDED, cpu)
    assert report.ok, report.text()
    assert any("only one block runs" in note for note in report.notes)


def test_a_primal_that_writes_beyond_its_arrays_fails_the_check(cpu: Backend) -> None:
    case = Case.parse("[launch]\ngrid = 2\nblock = 64\n[args]\n" + UNGUARDED.args, UNGUARDED.pair().primal)
    report = check_pair(UNGUARDED.pair(), case, cpu)
    assert not report.ok
    assert [(fault.kind, fault.place, fault.accesses[0].line) for fault in report.faults] == [
        ("out-of-bounds", "x[127]", 5),
        ("out-of-bounds", "y[127]", 5),
    ]


def test_a_gradient_has_type_and_shape_of_the_arguments_which_stay(cpu: Backend) -> None:
    x = np.arange(6, dtype="f8").reshape(2, 3)
    y = np.ones(6, dtype="f4")
    result = gradient(
        SAXPY.pair(), cpu, grid=2, block=4, args={"n": 6, "a": 0.5, "x": x, "y": y}, seeds={"y": 2 * y}
    )
    np.testing.assert_allclose(result.outputs["y"], 0.5 * np.arange(6))
    np.testing.assert_allclose(result.gradients["x"], np.ones((2, 3)))
    np.testing.assert_allclose(result.gradients["y"], np.arange(6))
    assert result.gradients["x"].dtype == np.float64
    assert result.gradients["y"].dtype == np.float32
    assert result.gradients["a"].shape == ()
    assert float(result.gradients["a"]) == 30
    assert y.tolist() == [1] * 6
    assert result.notes == ()


@pytest.mark.parametrize("name", ["joint", "split"])
def test_a_gradient_through_a_tape(name: str, cpu: Backend) -> None:
    x = np.array([0.2, 0.3], dtype="f4")
    result = gradient(EXAMPLES[name].pair(), cpu, grid=1, block=32, args={"x": x, "steps": 1, "n": 2})
    np.testing.assert_allclose(result.gradients["x"], 3.7 * (1 - 2 * x), rtol=1e-6)
    np.testing.assert_allclose(result.outputs["x"], 3.7 * x * (1 - x), rtol=1e-6)


def test_values_that_are_not_finite_are_noted(cpu: Backend) -> None:
    x = np.array([1.0, np.nan], dtype="f4")
    result = gradient(SAXPY.pair(), cpu, grid=1, block=2, args={"n": 2, "a": 1.0, "x": x, "y": x.copy()})
    assert any(note.startswith("y: 1 of 2 values are not finite") for note in result.notes)
    assert any(note.startswith("x: 1 of 2 values of the gradient") for note in result.notes)


def test_arguments_that_do_not_fit_are_all_named(cpu: Backend) -> None:
    with pytest.raises(Rejected) as caught:
        gradient(SAXPY.pair(), cpu, grid=1, block=2, args={"n": 2.5, "a": np.ones(2), "x": 1.0, "z": 1})
    assert [d.code.slug for d in caught.value.diagnostics] == [
        "argument-missing",
        "argument-unknown",
        "argument-value",
        "argument-value",
        "argument-value",
    ]


@pytest.mark.parametrize(
    ("seeds", "title"), [({"x": 1.0}, "non-dependent"), ({"y": np.ones(3)}, "shape (3,)")]
)
def test_seeds_that_do_not_fit_are_refused(seeds: dict[str, object], title: str, cpu: Backend) -> None:
    x = np.ones(2, dtype="f4")
    with pytest.raises(Rejected, match="argument-value") as caught:
        gradient(
            SAXPY.pair(), cpu, grid=1, block=2, args={"n": 2, "a": 1, "x": x, "y": x.copy()}, seeds=seeds
        )  # type: ignore[arg-type]
    assert title in caught.value.diagnostics[0].title


def test_a_tape_that_memory_cannot_hold_is_a_diagnostic(cpu: Backend) -> None:
    text = JOINT.adjoint.replace("sizeof(float) * steps", "sizeof(float) * ((size_t)steps << 40)", 1)
    pair, x = replace(JOINT.pair(), adjoint_text=text), np.ones(2, dtype="f4")
    with pytest.raises(Rejected, match="launch-failed") as caught:
        gradient(pair, cpu, grid=1, block=2, args={"n": 2, "steps": 3, "x": x})
    assert "more than this machine's memory" in caught.value.diagnostics[0].title


def test_a_text_that_does_not_compile_is_a_diagnostic(cpu: Backend) -> None:
    with pytest.raises(Rejected, match="compile-failed"):
        judged(SAXPY, cpu, ("float g = adj_y[i];", "float g = adj_z[i];"))


@pytest.mark.parametrize("name", ["saxpy", "blend", "joint"])
def test_a_drafted_case_loads_and_runs(name: str, cpu: Backend) -> None:
    example = EXAMPLES[name]
    text = draft(example.pair().primal, f"{name}.cu")
    report = check_pair(example.pair(), Case.parse(text, example.pair().primal), cpu)
    assert report.ok, text + report.text()


RETURNING = Example(
    "paired",
    """
extern "C" __global__ void paired(int n, const float *x, float *y)
{
    __shared__ float s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = x[i] * x[i];
    __syncthreads();
    y[i] = s[threadIdx.x];
}
""",
    """
extern "C" __global__ void paired_adj(int n, const float *x, float *adj_x, float *y, const float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        adj_x[i] += 2 * x[i] * adj_y[i];
}
""",
    [number("n"), array("x"), array("y", written=True)],
    [adjoint("x", "accumulates"), adjoint("y", "seed")],
    ["y"],
    ["x"],
    'n = 100\nx = { shape = "n", fill = "normal" }\ny = { shape = "n", fill = "zeros" }\n',
)


def test_a_barrier_that_returned_threads_miss_is_a_warning_in_a_primal(cpu: Backend) -> None:
    report = judged(RETURNING, cpu)
    assert report.ok, report.text()
    (fault,) = report.faults
    assert (fault.kind, fault.allowed, fault.to_dict()["warning"]) == ("missed-barrier", True, True)
    where = "thread (36, 0, 0) and 27 more of the block returned before the barrier in line 9"
    assert f"warning: paired: {where}, block (1, 0, 0), thread (0, 0, 0)\n" in report.text()


def test_a_barrier_that_returned_threads_miss_is_wrong_in_an_adjoint(cpu: Backend) -> None:
    late = "    if (i >= n)\n        return;\n    __syncthreads();\n    if (i < n)"
    report = judged(RETURNING, cpu, ("    if (i < n)", late))
    assert not report.ok
    assert all(row.verdict == "ok" for row in report.rows)
    assert [(f.kind, f.kernel) for f in report.faults if not f.harmless] == [("missed-barrier", "paired_adj")]
