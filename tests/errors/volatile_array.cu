extern "C" __global__ void poll(const volatile float *x, float *y)
//                                             ^^^^^^^^ volatile: its value may change at any time
{
    y[threadIdx.x] = x[threadIdx.x];
}
