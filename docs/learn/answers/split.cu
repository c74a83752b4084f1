// Exercise split: two kernels, and a tape in global memory between them.
// steps_fwd runs the kernel and records; later, when dJ/dx is known, steps_adj goes back. Nothing else is left of
// the first launch: x holds the result by then. The tape has room for STEPS numbers per thread, at [k * n + i].
// When you are done: s2sad lesson check split.cu
#define STEPS 4

extern "C" __global__ void steps(float *x, const float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < STEPS; ++k)
            x[i] = sinf(x[i]) + a[i] * x[i];
}

extern "C" __global__ void steps_fwd(float *x, const float *a, float *saved, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < STEPS; ++k) {
            // GAP 1: record x[i] in saved
            saved[k * n + i] = x[i];
            // END
            x[i] = sinf(x[i]) + a[i] * x[i];
        }
}

extern "C" __global__ void steps_adj(float *adj_x, const float *a, float *adj_a, const float *saved, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // GAP 2: the loop of lines 11 and 12, backwards: adj_a[i] is added to, adj_x[i] is replaced
        for (int k = STEPS - 1; k >= 0; --k) {
            adj_a[i] += saved[k * n + i] * adj_x[i];
            adj_x[i] = (cosf(saved[k * n + i]) + a[i]) * adj_x[i];
        }
        // END
    }
}
