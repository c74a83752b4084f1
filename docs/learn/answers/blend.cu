// Exercise blend: three inputs, one output, and a value in between.
// The kernel blends u and v by the weight w. Go back line by line: first from y to s, then from s to the inputs.
// When you are done: s2sad lesson check blend.cu

extern "C" __global__ void blend(const float *u, const float *v, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = w[i] * u[i] + (1.0f - w[i]) * v[i];
        y[i] = sinf(s);
    }
}

extern "C" __global__ void blend_adj(const float *u, float *adj_u, const float *v, float *adj_v,
                                     const float *w, float *adj_w, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = w[i] * u[i] + (1.0f - w[i]) * v[i];
        // GAP 1: the adjoint of line 10, y[i] = sinf(s): declare adj_s
        float adj_s = cosf(s) * adj_y[i];
        // END
        // GAP 2: the adjoint of line 9, s = w[i] * u[i] + (1.0f - w[i]) * v[i]: one line for each input
        adj_u[i] += w[i] * adj_s;
        adj_v[i] += (1.0f - w[i]) * adj_s;
        adj_w[i] += (u[i] - v[i]) * adj_s;
        // END
    }
}
