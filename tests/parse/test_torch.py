"""What stands for PyTorch's headers, in kernels of its extensions."""

from __future__ import annotations

import s2sad

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
    assert "offset += linear % index.sizes[i_2] * index.strides[i_2];" in source
    assert "linear * index.strides[0]" in source
    assert "atomicAdd(&adj_src[j]" in source or "atomicAdd(&adj_src[index.data[" in source


def test_the_type_to_compute_in_is_float_for_half_precision() -> None:
    assert "    float v = " in adjoint("__half")
    assert "    double v = " in adjoint("double")
    assert "    float v = " in adjoint("at::Half")
