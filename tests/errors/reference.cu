__device__ void bump(float &v)
//                         ^ no-references: references are not differentiated yet
{
    v += 1.0f;
}

extern "C" __global__ void up(const float *x, float *y)
{
    float s = x[threadIdx.x];
    bump(s);
    y[threadIdx.x] = s;
}
