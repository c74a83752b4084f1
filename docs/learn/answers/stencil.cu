// Exercise stencil: neighbours read the same element.
// Thread i reads x[i - 1], x[i] and x[i + 1], so three threads add to each element of adj_x.
// When you are done: s2sad lesson check stencil.cu

extern "C" __global__ void stencil(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float left = i > 0 ? x[i - 1] : 0.0f;
        float right = i + 1 < n ? x[i + 1] : 0.0f;
        y[i] = left - 2.0f * x[i] + right;
    }
}

extern "C" __global__ void stencil_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // GAP 1: the adjoint of line 11: what x[i] gets
        atomicAdd(&adj_x[i], -2.0f * adj_y[i]);
        // END
        // GAP 2: the adjoint of line 10, right = i + 1 < n ? x[i + 1] : 0.0f
        if (i + 1 < n)
            atomicAdd(&adj_x[i + 1], adj_y[i]);
        // END
        // GAP 3: the adjoint of line 9, left = i > 0 ? x[i - 1] : 0.0f
        if (i > 0)
            atomicAdd(&adj_x[i - 1], adj_y[i]);
        // END
    }
}
