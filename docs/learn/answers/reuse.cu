// Exercise reuse: one variable for two purposes.
// Line 11 overwrites t without reading it. What reached adj_t until then belongs to the new t: nothing of it may
// reach the old one.
// When you are done: s2sad lesson check reuse.cu
extern "C" __global__ void reuse(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = x[i];
        float s = t * t;
        t = 2.0f * s;
        y[i] = s + t * s;
    }
}

extern "C" __global__ void reuse_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = x[i];
        float s = t * t;
        float tape_t = t;
        t = 2.0f * s;

        float adj_s = 0.0f, adj_t = 0.0f;
        // GAP 1: the adjoint of line 12, y[i] = s + t * s
        adj_s += (1.0f + t) * adj_y[i];
        adj_t += s * adj_y[i];
        // END
        // GAP 2: the adjoint of line 11, t = 2.0f * s
        adj_s += 2.0f * adj_t;
        adj_t = 0.0f;
        // END
        // GAP 3: the adjoint of line 10, s = t * t
        adj_t += 2.0f * tape_t * adj_s;
        // END
        adj_x[i] += adj_t;
    }
}
