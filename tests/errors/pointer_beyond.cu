extern "C" __global__ void alias(const float *x, float *y)
{
    float s = x[threadIdx.x];
    float *p = &s;
    y[threadIdx.x] = p[0] + p[1];
//                          ^^^^ pointer-beyond: `s` is one value, not an array
}
