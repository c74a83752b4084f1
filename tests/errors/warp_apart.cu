// s2sad: --of y --wrt x
extern "C" __global__ void apart(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = x[i];
    float first = s > 0.0f ? __shfl_sync(0xffffffffu, s, 0) : s;
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ divergent-warp: lanes may diverge at `s > 0.0f ? __shfl_sync(0xffffffffu, s, 0) : s` on line 6
    for (int k = threadIdx.x; k < n; k += 64) {
        s += x[k];
        __syncwarp();
//      ^^^^^^^^^^^^ divergent-warp: lanes may diverge at `for (int k = threadIdx.x; k < n; k += 64)` on line 8
    }
    if (threadIdx.x < 40 && __any_sync(0xffffffffu, s > 1.0f))
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ divergent-warp: lanes may diverge at `if (threadIdx.x < 40 && __any_sync(0xffffffffu, s > 1.0f))` on line 13
        s += first;
    y[i] = s;
}
