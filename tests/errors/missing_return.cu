__device__ float part(float v)
//         ^^^^^^^^^^^^^^^^^^ missing-return: its result is float
{
    if (v > 0.0f)
        return v;
}

extern "C" __global__ void relu(const float *x, float *y)
{
    y[threadIdx.x] = part(x[threadIdx.x]);
}
