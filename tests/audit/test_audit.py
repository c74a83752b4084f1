"""What audit says and refuses: conventions of backward kernels, names, several kernels, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from audit_kit import Pair, audit, pair_of, report

import s2sad
from s2sad.diagnostics import Rejected

FORWARD = """\
__global__ void scale(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] * w[i % 3];
}
"""
BACKWARD = """\
__global__ void scale_backward(const float *x, const float *w, const float *grad_y, float *grad_x,
                               float *grad_w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        grad_x[i] = 2 * x[i] * w[i % 3] * grad_y[i];
        atomicAdd(&grad_w[i % 3], x[i] * x[i] * grad_y[i]);
    }
}
"""
CASE = """\
kernel = "scale"
of = ["y"]
wrt = ["x", "w"]
[launch]
grid = "(n + 31) / 32"
block = 32
[args]
n = 40
x = { shape = "n", fill = "normal" }
w = { shape = 3, fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""

IN_PLACE = """\
template <typename T> struct Leaky {
    __device__ T operator()(T x) const { return x > 0 ? x : T(0.1) * x; }
    __device__ T derivative(T y) const { return y > 0 ? T(1) : T(0.1); }
};
template <typename T, typename Op> __global__ void apply(T *x, int n, Op op)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = op(x[i]);
}
template <typename T, typename Op>
__global__ void apply_backward(const T *grad_out, const T *output, T *grad_in, int n, Op op)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        grad_in[i] = grad_out[i] * op.derivative(output[i]);
}
"""
IN_PLACE_CASE = """\
kernel = "apply"
of = ["x"]
wrt = ["x"]
[template]
Op = "Leaky<float>"
[launch]
grid = 2
block = 32
[args]
n = 100
x = { shape = "n", fill = "normal" }
[names]
x = ["grad_out", "grad_in"]
[backward.args]
output = "x"
[backward]
exit = ["x"]
"""
OWN = """\
template <typename T, int N> struct Packed {
    T *data;
    int sizes[N], strides[N];
    __device__ T &operator()(int i, int j) const { return data[i * strides[0] + j * strides[1]]; }
};
template <typename T> class View {
public:
    __device__ View(T *p, const int64_t *shape) : p_(p), n_(shape[0]) {}
    __device__ T &operator[](int i) const { return p_[i]; }
private:
    T *p_;
    int n_;
};
struct Camera { float fx, cx; };
__global__ void fwd(Packed<float, 2> x, View<float> w, Packed<float, 2> y, Camera cam)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < x.sizes[1] && i < x.sizes[0]; ++j)
        y(i, j) = x(i, j) * w[j] * cam.fx + cam.cx;
}
__global__ void bwd(Packed<float, 2> x, View<float> w, Packed<float, 2> dy, Packed<float, 2> dx,
                    View<float> dw, Camera cam, Camera *dcam)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < x.sizes[1] && i < x.sizes[0]; ++j) {
        dx(i, j) += dy(i, j) * w[j] * cam.fx;
        atomicAdd(&dw[j], dy(i, j) * x(i, j) * cam.fx);
        atomicAdd(&dcam->fx, dy(i, j) * x(i, j) * w[j]);
        atomicAdd(&dcam->cx, dy(i, j));
    }
}
"""
OWN_CASE = """\
kernel = "fwd"
[launch]
grid = 2
block = 32
[args]
x = { shape = [40, 3], fill = "normal" }
w = { shape = 3, fill = "normal" }
y = { shape = [40, 3], fill = "zeros" }
cam = { shape = 2, fill = "normal" }
"""
GROUPS = """\
#include <cooperative_groups.h>
#include <cub/cub.cuh>
namespace cg = cooperative_groups;
template <int N> __global__ void energy(const float *x, float *e, int n)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    __shared__ float part[N / 32];
    int i = blockIdx.x * N + block.thread_rank();
    float v = cg::reduce(warp, i < n ? x[i] * x[i] : 0.0f, cg::plus<float>());
    if (warp.thread_rank() == 0)
        part[warp.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0)
        e[blockIdx.x] = part[0] + part[1];
}
template <int N> __global__ void energy_backward(const float *x, const float *de, float *dx, int n)
{
    using Reduce = cub::BlockReduce<float, N>;
    __shared__ typename Reduce::TempStorage storage;
    int i = blockIdx.x * N + threadIdx.x;
    float ignored = Reduce(storage).Sum(i < n ? x[i] : 0.0f);
    if (i < n)
        dx[i] += 2 * x[i] * de[blockIdx.x] + 0 * ignored;
}
void host() { energy<64><<<2, 64>>>(); energy_backward<64><<<2, 64>>>(); }
"""
GROUPS_CASE = """\
kernel = "energy"
[launch]
grid = "(n + 63) / 64"
block = 64
[args]
n = 100
x = { shape = "n", fill = "normal" }
e = { shape = "grid", fill = "zeros" }
"""


class Folder:
    """Three files, and what audit says of them."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = path
        self.capsys = capsys

    def __call__(self, backward: str, case: str = CASE, forward: str = FORWARD) -> tuple[int, str]:
        return audit(self.pair(backward, case, forward), self.capsys, "--timeout", "20")

    def pair(self, backward: str, case: str = CASE, forward: str = FORWARD) -> Pair:
        names = ("scale.cu", "scale_backward.cu", "scale.toml")
        for name, text in zip(names, (forward, backward, case), strict=True):
            (self.path / name).write_text(text, encoding="utf-8")
        return Pair(*(self.path / name for name in names))


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Folder:
    return Folder(tmp_path, capsys)


def test_gradients_may_be_stored_or_added(folder: Folder) -> None:
    status, said = folder(BACKWARD)
    assert status == 0, said
    assert "grad_x is stored" in said
    assert "grad_w is stored" not in said
    assert folder(BACKWARD.replace("grad_x[i] =", "grad_x[i] +="))[0] == 0


def test_a_gradient_that_is_partly_stored_is_wrong(folder: Folder) -> None:
    status, said = folder(BACKWARD.replace("grad_x[i] =", "if (i < 9) grad_x[i] +="
                                           " 2 * x[i] * w[i % 3] * grad_y[i]; else grad_x[i] ="))  # fmt: skip
    assert status == 1
    assert "grad_x throughout" in said


def test_a_barrier_that_returned_threads_miss_is_a_warning(folder: Folder) -> None:
    late = "if (i >= n)\n        return;\n    __syncthreads();\n    if (i < n) {"
    status, said = folder(BACKWARD.replace("if (i < n) {", late))
    assert status == 0, said
    where = "thread (8, 0, 0) and 23 more of the block returned before the barrier in line 7"
    assert f"warning: scale_backward: {where}, block (1, 0, 0), thread (0, 0, 0)" in said


def test_the_case_may_say_that_gradients_are_added(folder: Folder) -> None:
    status, said = folder(BACKWARD, CASE + '[backward]\ngradients = "added"\n')
    assert status == 1
    assert 'gradients = "stored"' in said


def test_what_is_called_adj_has_to_be_added_to(folder: Folder) -> None:
    assert folder(BACKWARD.replace("grad_", "adj_"))[0] == 1
    stored = CASE + '[backward]\ngradients = "either"\n'
    assert folder(BACKWARD.replace("grad_", "adj_"), stored)[0] == 1
    assert folder(BACKWARD.replace("grad_", "adj_").replace("[i] =", "[i] +="))[0] == 0


def test_dependents_and_independents_follow_from_the_names(folder: Folder) -> None:
    status, said = folder(BACKWARD, CASE.replace('of = ["y"]\nwrt = ["x", "w"]\n', ""))
    assert status == 0, said
    assert "of y, wrt x, w: inferred from the parameters' names" in said


def test_other_names_are_the_case_files_to_say(folder: Folder) -> None:
    strange = (
        BACKWARD.replace("grad_y", "delta")
        .replace("grad_w", "out2")
        .replace("const float *x", "const float *xs")
    )
    strange = strange.replace("x[i]", "xs[i]").replace("grad_xs[i]", "grad_x[i]")
    status, said = folder(strange)
    assert status == 2
    assert "delta" in said
    assert "out2" in said
    names = '[names]\ny = "delta"\nw = "out2"\n[backward.args]\nxs = "x"\n'
    status, said = folder(strange, CASE + names)
    assert status == 0, said


def test_a_backward_may_be_several_kernels_with_their_own_launches(folder: Folder) -> None:
    two = """\
__global__ void rows(const float *x, const float *w, const float *grad_y, float *grad_x, float *partial,
                     int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        grad_x[i] = 2 * x[i] * w[i % 3] * grad_y[i];
        partial[i] = x[i] * x[i] * grad_y[i];
    }
}
__global__ void sums(const float *partial, float *grad_w, int n)
{
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 3)
        sum += partial[i];
    grad_w[threadIdx.x] = sum;
}
"""
    case = CASE.replace("n = 40", 'n = 40\npartial = { shape = "n", fill = "zeros" }')
    case += "[backward.launch.sums]\ngrid = 1\nblock = 3\n"
    status, said = folder(two, case)
    assert status == 0, said
    assert "rows, sums: ok" in said
    wrong = two.replace("i < n; i += 3", "i < n - 1; i += 3")
    status, said = folder(wrong, case)
    assert status == 1
    assert re.search(r"grad_w\[\d\] was last written by .* of sums at \S*scale_backward.cu:15", said), said
    silent = two.replace(
        "partial[i] =", "if (i != 7) grad_x[i] = grad_x[i]; else grad_x[i] *= 2; partial[i] ="
    )
    assert (
        "grad_x[7] was last written by block (0, 0, 0), thread (7, 0, 0) of rows at"
        in folder(silent, case)[1]
    )
    assert "no thread of rows writes grad_x[7]" in folder(two.replace("i < n)", "i < n && i != 7)"), case)[1]
    unlaunched = folder(two, case.replace("block = 3", "block = 4"))
    assert unlaunched[0] == 1
    assert "grad_w[3]" in unlaunched[1]


def test_a_functor_and_two_adjoints_of_an_array_that_is_changed_in_place(folder: Folder) -> None:
    status, said = folder(IN_PLACE, IN_PLACE_CASE, IN_PLACE)
    assert status == 0, said
    assert folder(IN_PLACE.replace("T(1) : T(0.1)", "T(1) : T(0.2)"), IN_PLACE_CASE, IN_PLACE)[0] == 1
    spoiled = IN_PLACE.replace("const T *grad_out", "T *grad_out").replace(
        "grad_in[i] =", "grad_out[i] *= 2, grad_in[i] = 0.5f *"
    )
    status, said = folder(spoiled, IN_PLACE_CASE, IN_PLACE)
    assert status == 1
    assert "seed of x is not written" in said


def test_own_accessors_are_made_of_a_pointer_and_sizes(folder: Folder) -> None:
    status, said = folder(OWN, OWN_CASE, OWN)
    assert status == 0, said
    status, said = folder(OWN, OWN_CASE.replace("cam = { shape = 2", "cam = { shape = 3"), OWN)
    assert status == 2
    assert "the size of a struct is how many numbers it has" in said


def test_cooperative_groups_and_cub_are_there(folder: Folder) -> None:
    status, said = folder(GROUPS, GROUPS_CASE, GROUPS)
    assert status == 0, said
    status, said = folder(GROUPS, GROUPS_CASE, GROUPS.replace("    block.sync();\n", ""))
    assert status == 1
    assert "race on part" in said


def test_both_kernels_may_stand_in_one_file(folder: Folder) -> None:
    both = FORWARD + BACKWARD
    assert folder(both, CASE, both)[0] == 0


def test_missing_adjoints_and_unknown_parameters_are_refused(folder: Folder) -> None:
    lacking = BACKWARD.replace("float *grad_w,", "").replace(
        "atomicAdd(&grad_w[i % 3], x[i] * x[i] * grad_y[i]);", ""
    )
    status, said = folder(lacking)
    assert status == 2
    assert "the adjoint of w" in said
    status, said = folder(BACKWARD.replace("int n)", "int n, int rows, float *buffer)"))
    assert status == 2
    assert "rows" in said
    assert "buffer" in said
    status, said = folder(FORWARD.replace("scale", "other"))
    assert status == 2
    assert "looks like the backward of scale" in said


def test_a_text_that_does_not_compile_is_refused_with_its_line(folder: Folder) -> None:
    status, said = folder(BACKWARD.replace("2 * x[i]", "twice(x[i])"))
    assert status == 2
    assert "scale_backward.cu:6:" in said
    assert "twice" in said


def test_a_forward_with_a_race_is_told(folder: Folder) -> None:
    racy = FORWARD.replace("y[i] =", "y[i / 2] =")
    status, said = folder(BACKWARD, CASE, racy)
    assert status == 1
    assert "scale: race on y" in said
    assert "in line 5" in said


def test_an_input_that_is_written_is_told(folder: Folder) -> None:
    spoiled = BACKWARD.replace("const float *x", "float *x").replace(
        "    if (i < n) {", "    if (i < n) {\n        x[i] += 1;\n        x[i] -= 2;"
    )
    status, said = folder(spoiled)
    assert status == 1
    assert "x is not written" in said


def test_the_report_is_json_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = report(pair_of("saxpy_adj.cu"), capsys)
    assert status == 0
    found = said["report"]
    assert (said["status"], found["ok"], found["kernel"]) == (0, True, "saxpy_adj")
    assert [argument["name"] for argument in found["arguments"]] == ["a", "x", "y"]
    assert {watched["kernel"] for watched in found["watched"]} == {"saxpy", "saxpy_adj"}
    json.dumps(found)


def test_audit_is_a_function_of_python_too() -> None:
    pair = pair_of("saxpy_adj.cu")
    found = s2sad.audit(pair.forward, pair.backward, case=pair.case)
    texts = [path.read_text(encoding="utf-8") for path in (pair.forward, pair.backward)]
    assert s2sad.audit(*texts, case=pair.case).ok == found.ok
    assert found.ok
    assert found.worst < 1e-8
    with pytest.raises(Rejected):
        s2sad.audit(pair.forward, pair.backward, case="nowhere.toml")


def test_wrong_usage_is_said_before_files_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    pair = Pair(Path("a.cu"), Path("b.cu"), Path("c.toml"))
    status, said = audit(pair, capsys, "--timeout", "0")
    assert status == 3
    assert "--timeout" in said
    assert audit(pair, capsys)[0] == 2
