"""What stands for PyTorch's headers, in kernels of its extensions."""

from __future__ import annotations

import re

import pytest

import s2sad
from s2sad.diagnostics import Rejected

KERNEL = """
#include <ATen/OpMathType.h>
#include <ATen/cuda/detail/IndexUtils.cuh>
template <class scalar_t>
__global__ void gathered(const scalar_t *src, const at::cuda::detail::TensorInfo<int64_t, int> index,
                         scalar_t *out, int n)
{
    using opmath_t = at::opmath_type<scalar_t>;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int place = at::cuda::detail::IndexToOffset<int64_t, int, -1>::get(i, index);
    opmath_t v = src[index.data[place]];
    out[i] = v * v;
}
"""


def adjoint(scalar: str) -> str:
    return s2sad.transform(KERNEL, name="k.cu", of=["out"], wrt=["src"], template={"scalar_t": scalar}).source


def test_a_view_of_a_tensor_is_laid_out_as_in_pytorch_and_walked_by_its_strides() -> None:
    source = adjoint("float")
    assert "    long *data;\n    int sizes[25];\n    int strides[25];\n    int dims;\n};" in source
    assert "const TensorInfo_long_int index," in source
    assert re.search(r"offset \+= linear % index\.sizes\[(\w+)\] \* index\.strides\[\1\];", source)
    assert "linear * index.strides[0]" in source
    assert "atomicAdd(&adj_src[j]" in source or "atomicAdd(&adj_src[index.data[" in source


def test_the_type_to_compute_in_is_float_for_half_precision() -> None:
    assert "    float v = " in adjoint("__half")
    assert "    double v = " in adjoint("double")
    assert "    float v = " in adjoint("at::Half")


VIEWS = """
#include <torch/extension.h>
template <typename scalar_t>
__global__ void scaled(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
                       const at::PackedTensorAccessor64<scalar_t, 1> w,
                       torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> y)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y;
    if (c >= x.size(1))
        return;
    scalar_t s = 0;
    for (int k = 0; k < x.size(0); ++k)
        s += x[k][c] * w[k];
    %s
}
"""


def views(last: str) -> str:
    options = {"of": ["y"], "wrt": ["x", "w"], "template": {"scalar_t": "float"}}
    return s2sad.transform(VIEWS % last, name="k.cu", **options).source


def test_an_element_of_an_accessor_has_its_place_by_the_strides() -> None:
    source = views("y[r][c] = s * x[r][c];")
    assert "    float *data_;\n    int sizes_[2];\n    int strides_[2];\n};" in source
    assert "    float *data_;\n    long sizes_[1];\n    long strides_[1];\n};" in source
    assert "adj_y.data_[r * y.strides_[0] + c * y.strides_[1]]" in source
    assert "atomicAdd(&adj_w.data_[(long)k * w.strides_[0]]," in source
    assert "no two threads store to the same y[r][c]" in source


def test_a_row_of_an_accessor_stands_for_it_and_its_index() -> None:
    source = views("auto row = y[r];\n    row[c] = s * row.size(0);")
    assert "adj_y.data_[r * y.strides_[0] + c * y.strides_[1]]" in source
    assert "y.sizes_[1]" in source
    assert "x.sizes_[1]" in views("const auto row = x[0];\n    y[r][c] = s * row.size(0);")
    assert "x.sizes_[c + 1]" in views("const auto row = x[0];\n    y[r][c] = s * row.size(c);")


@pytest.mark.parametrize(
    ("last", "index"),
    [
        ("int k = c; auto row = x[k]; y[r][c] = row[c];", "k * x"),
        ("int k = c; auto row = x[k]; ++k; y[r][c] = row[c];", "row_index * x"),
        ("int k = c; int &j = k; auto row = x[k]; j = 0; y[r][c] = row[c];", "row_index * x"),
        ("int k = c; int *j = &k; auto row = x[k]; *j = 0; y[r][c] = row[c];", "row_index * x"),
        ("auto row = x[c + r]; y[r][c] = row[c];", "row_index * x"),
        ("int k = c; for (int j = 0; j < 2; ++j) { auto q = x[k]; k = j; y[r][c] = q[c]; }", "q_index * x"),
    ],
)
def test_the_index_of_a_row_keeps_its_value(last: str, index: str) -> None:
    assert f"adj_x.data_[{index}.strides_[0] + c * x.strides_[1]]" in views(last)


@pytest.mark.parametrize(
    "last",
    [
        "auto row = y[r]; auto same = row; same[c] = s;",
        "auto row = y[r]; { float row[3]; row[0] = s; y[r][c] = row[0]; }",
        "auto row = y[r]; { int r = 0; row[c] = s; }",
        "auto row = y[r]; row.data()[c] = s;",
    ],
)
def test_a_row_that_is_used_in_another_way_is_refused(last: str) -> None:
    with pytest.raises(Rejected, match="is indexed but isn't an array"):
        views(last)


def test_sizes_may_stand_in_one_expression() -> None:
    assert "x.sizes_[0] * x.sizes_[1]" in views("y[r][c] = s * (x.size(0) * x.size(1));")


@pytest.mark.parametrize("rank", range(1, 9))
def test_a_tensor_may_have_up_to_eight_dimensions(rank: int) -> None:
    zeros = "[0]" * (rank - 1)
    text = f"""
#include <torch/extension.h>
__global__ void k(const at::GenericPackedTensorAccessor<double, {rank}> x, double *y)
{{
    y[threadIdx.x] = x[threadIdx.x]{zeros} * x.stride({rank - 1});
}}
"""
    source = s2sad.transform(text, name="k.cu", of=["y"], wrt=["x"]).source
    assert f"GenericPackedTensorAccessor_double_{rank}_DefaultPtrTraits_long" in source
    assert f"x.strides_[{rank - 1}]" in source


def test_a_struct_has_the_name_of_the_alias_that_is_used() -> None:
    source = views("y[r][c] = s;")
    assert "struct PackedTensorAccessor32_float_2 {" in source
    assert "struct PackedTensorAccessor64_float_1 {" in source
    assert "const PackedTensorAccessor32_float_2 x,\n" in source


def test_the_header_says_which_strides_adjoints_have() -> None:
    assert "the adjoint of a tensor has its strides" in views("y[r][c] = s;").replace("\n//", "")


def test_a_type_is_float_if_nothing_says_otherwise() -> None:
    options = {"of": ["y"], "wrt": ["x", "w"]}
    text = VIEWS % "y[r][c] = s;"
    found = s2sad.transform(text, name="k.cu", **options)
    assert "Instance of the template scaled with scalar_t = float" in found.source
    launched = text + "\nvoid run() { scaled<double><<<1, 32>>>(0, 0, 0); }\n"
    assert "with scalar_t = double" in s2sad.transform(launched, name="k.cu", **options).source
    several = launched + "\nvoid more() { scaled<float><<<1, 32>>>(0, 0, 0); }\n"
    with pytest.raises(Rejected, match="scalar_t can't be inferred"):
        s2sad.transform(several, name="k.cu", **options)
    other = s2sad.transform(text.replace("scalar_t", "T"), name="k.cu", **options)
    assert "Instance of the template scaled with T = float" in other.source
