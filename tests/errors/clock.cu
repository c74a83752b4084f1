extern "C" __global__ void timed(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x] * (float)clock();
//                                           ^^^^^^^ order-dependent: may differ between two runs
}
