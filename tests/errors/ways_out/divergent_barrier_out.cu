// help: end the condition before the barrier and repeat it afterwards
// s2sad: --of y --wrt x
// neighbours exchanged through shared memory
extern "C" __global__ void exchange(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    if (i + 1 < n)
        s[t] = x[i] * x[i];
    __syncthreads();
    if (i + 1 < n)
        y[i] = s[31 - t];
}
