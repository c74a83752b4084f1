// s2sad: --of y --wrt x,w
// Steps of a chain of lanes: neighbours, a partner, a vote that is recorded, a value for all.
#define FULL 0xffffffffu
extern "C" __global__ void warp_steps(const float *x, const float *w, float *y, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float h = i < n ? x[i] : 0.0f;
    for (int t = 0; t < steps; ++t) {
        float left = __shfl_up_sync(FULL, h, 1);
        float right = __shfl_down_sync(FULL, h, 1);
        h = tanhf(w[0] * left + w[1] * h + w[2] * right);
        float m = fmaxf(h, __shfl_xor_sync(FULL, h, 4));
        if (__all_sync(FULL, m < 0.9f))
            h += 0.1f * m * __shfl_sync(FULL, h, t % 32);
    }
    if (i < n)
        y[i] = h;
}
