extern "C" __global__ void fill(const float *x, float *y, int n)
{
    float t[n];
//          ^ not-constant: `n` isn't known at compile time
    t[0] = x[threadIdx.x];
    y[threadIdx.x] = t[0];
}
