float twice(float v)
{
    return 2.0f * v;
}

extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = twice(x[threadIdx.x]);
//                   ^^^^^ not-on-the-device: called here
}
