extern "C" __global__ void alias(const float *x, float *y)
{
    float s = x[threadIdx.x];
    float *p = &s;
//  ^^^^^^^^^^^^^ pointer-variable: pointers are parameters of the kernel only, for now
    y[threadIdx.x] = *p;
}
