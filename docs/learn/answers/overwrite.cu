// Exercise overwrite: a variable is overwritten, and the reverse sweep needs what it held before.
// Gap 1 keeps a value that line 11 overwrites. Gaps 2 and 3 go back through lines 11 and 10.
// When you are done: s2sad lesson check overwrite.cu

extern "C" __global__ void overwrite(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        s = s * s;
        s = s + sinf(s);
        y[i] = s;
    }
}

extern "C" __global__ void overwrite_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // forward sweep, up to the last value that is needed
        float s = x[i];
        s = s * s;
        // GAP 1: keep the value of s that line 11 overwrites, in tape_s
        float tape_s = s;
        // END

        // reverse sweep
        float adj_s = adj_y[i];
        // GAP 2: the adjoint of line 11, s = s + sinf(s)
        adj_s = adj_s + cosf(tape_s) * adj_s;
        // END
        // GAP 3: the adjoint of line 10, s = s * s
        adj_s = 2.0f * x[i] * adj_s;
        // END
        adj_x[i] += adj_s;
    }
}
