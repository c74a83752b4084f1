// s2sad: --of y --wrt x
extern "C" __global__ void noisy(const float *x, float *y, unsigned *state)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * curand_uniform(&state[i]);
//                ^^^^^^^^^^^^^^^^^^^^^^^^^ random-numbers: may differ between two runs
}
