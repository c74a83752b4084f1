// s2sad: --of y --wrt x
struct Pair {
    float a, b;
};

__device__ Pair half_made(float a)
{
    Pair p;
    p.a = a;
    return p;
}

extern "C" __global__ void unset(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = half_made(x[i]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^ never-set: declared without a value
    y[i] = p.a * p.b;
}
