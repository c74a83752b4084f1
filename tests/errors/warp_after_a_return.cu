// s2sad: --of y --wrt x
extern "C" __global__ void sum(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n)
        return;
    float s = x[i];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ divergent-warp: lanes may diverge at `if (i + 1 >= n)` on line 5
    y[i] = s;
}
