"""Default dependents and independents: arrays passed on to functions count too."""

from __future__ import annotations

import s2sad

PASSED_ON = """
__device__ float taken(const float *from, int i) { return from[i] * from[i]; }
__device__ void put(float *to, float v) { *to = v; }
__device__ void twice(float *both) { both[0] *= 2.0f; }
__global__ void k(const float *x, float *y, float *u, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = taken(x, i);
        put(&y[i], v);
        twice(u + i);
    }
}
"""


def test_an_array_that_a_function_only_reads_is_no_dependent() -> None:
    signature = s2sad.transform(PASSED_ON, name="k.cu").signature
    assert signature.dependents == ("y", "u")
    assert signature.independents == ("x", "u")
