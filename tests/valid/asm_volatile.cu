extern "C" __global__ void asm_volatile(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    asm volatile("");
    __asm__ __volatile__("" : : : "memory");
    y[i] = s * s;
}
