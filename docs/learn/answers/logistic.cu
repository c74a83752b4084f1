// Exercise logistic: a loop that overwrites its own variable.
// Record in gap 1 what the loop overwrites; write the whole loop of the reverse sweep in gap 2.
// When you are done: s2sad lesson check logistic.cu
#define STEPS 6

extern "C" __global__ void logistic(const float *x, const float *r, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        for (int k = 0; k < STEPS; ++k)
            s = r[i] * s * (1.0f - s);
        y[i] = s;
    }
}

extern "C" __global__ void logistic_adj(const float *x, float *adj_x, const float *r, float *adj_r,
                                        float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        float tape_s[STEPS];
        for (int k = 0; k < STEPS; ++k) {
            // GAP 1: record s in tape_s
            tape_s[k] = s;
            // END
            s = r[i] * s * (1.0f - s);
        }

        float adj_s = adj_y[i];
        // GAP 2: the adjoint of lines 11 and 12: a loop, in which adj_r[i] gets a contribution and adj_s changes
        for (int k = STEPS - 1; k >= 0; --k) {
            adj_r[i] += tape_s[k] * (1.0f - tape_s[k]) * adj_s;
            adj_s = r[i] * (1.0f - 2.0f * tape_s[k]) * adj_s;
        }
        // END
        adj_x[i] += adj_s;
    }
}
