// Exercise fold: a branch that overwrites what its condition reads.
// On the way back s no longer says which side ran, so the answer has to be kept.
// When you are done: s2sad lesson check fold.cu

extern "C" __global__ void fold(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        if (s < 1.0f)
            s = 2.0f - s * s;
        else
            s = 3.0f * s - 4.0f;
        y[i] = s * s;
    }
}

extern "C" __global__ void fold_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        // GAP 1: keep what lines 11 and 13 overwrite: s in tape_s, and which side runs in first (a bool)
        float tape_s = s;
        bool first = s < 1.0f;
        // END
        if (s < 1.0f)
            s = 2.0f - s * s;
        else
            s = 3.0f * s - 4.0f;

        // GAP 2: the adjoint of line 14, y[i] = s * s: declare adj_s
        float adj_s = 2.0f * s * adj_y[i];
        // END
        // GAP 3: the adjoint of lines 10 to 13
        if (first)
            adj_s = -2.0f * tape_s * adj_s;
        else
            adj_s = 3.0f * adj_s;
        // END
        adj_x[i] += adj_s;
    }
}
