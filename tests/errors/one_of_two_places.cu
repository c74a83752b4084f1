__device__ float &one(float *a, int i)
{
    if (i > 2)
        return a[0];
    return a[i];
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    float v[4] = {x[0], x[1], x[2], x[3]};
    one(v, n) *= 2.0f;
//  ^^^^^^^^^ not-supported: not differentiated yet
    y[threadIdx.x] = v[0] * v[1];
}
