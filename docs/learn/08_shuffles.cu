// s2sad: --of y --wrt x
// Each warp subtracts its mean; the sum is made by shuffles, and every lane has it.
extern "C" __global__ void centre(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    float sum = v;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    float centred = v - sum / 32.0f;
    y[i] = centred * centred;
}
