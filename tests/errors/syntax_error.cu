extern "C" __global__ void broken(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f * (x[threadIdx.x];
//                                         ^ syntax-error: here
}
