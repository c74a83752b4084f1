// Exercise gate: derivatives that only need the result.
// The result t of tanhf is there already: write its derivative with t, without another tanhf.
// When you are done: s2sad lesson check gate.cu

extern "C" __global__ void gate(const float *x, const float *g, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = tanhf(x[i]);
        float e = expf(g[i]);
        y[i] = t * e;
    }
}

extern "C" __global__ void gate_adj(const float *x, float *adj_x, const float *g, float *adj_g,
                                    float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = tanhf(x[i]);
        float e = expf(g[i]);
        float adj_t = e * adj_y[i];
        float adj_e = t * adj_y[i];
        // GAP 1: the adjoint of line 10, e = expf(g[i]): use e
        adj_g[i] += e * adj_e;
        // END
        // GAP 2: the adjoint of line 9, t = tanhf(x[i]): use t
        adj_x[i] += (1.0f - t * t) * adj_t;
        // END
    }
}
