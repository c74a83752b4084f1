"""A kernel of CuPy, with a macro that the script gives the compiler."""

import cupy as cp

LÄNGE, damped = "ü", cp.RawKernel(r'''
extern "C" __global__
void damped(const float *x, const float *rate, float *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        // falls off with the distance
        float fall = expf(-rate[i] * x[i] * x[i]);
        y[i] = AMPLITUDE * fall * cosf(x[i]);
    }
}
''', "damped", options=("-std=c++17", "-DAMPLITUDE=2.5f"))  # fmt: skip


def waves(x, rate):
    y = cp.empty_like(x)
    damped(((x.size + 127) // 128,), (128,), (x, rate, y, cp.int32(x.size)))
    return y
