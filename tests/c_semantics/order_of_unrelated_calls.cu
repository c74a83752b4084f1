// [intro.execution]: calls don't run into each other; where each has its own variables the order is all one.
static __device__ float next(float &v)
{
    v = sinf(v) + v;
    return v * v;
}
extern "C" __global__ void order_of_unrelated_calls(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float t = x[1];
    s = next(s) + next(t) * 2.0f;
    s *= next(t) + x[2];
    y[i] = s * t;
}
