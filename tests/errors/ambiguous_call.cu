__device__ float pick(float a, int b) { return a + b; }
__device__ float pick(int a, float b) { return a + b; }

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = pick(n, n) * x[i];
//         ^^^^^^^^^^ ambiguous-call: several overloads match equally well
}
