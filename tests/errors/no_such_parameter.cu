// s2sad: --of z --wrt x,signl
extern "C" __global__ void scale(const float *x, const float *signal, float *y, int n)
//                         ^^^^^ no-such-parameter: its parameters are x, signal, y, n
//                         ^^^^^ no-such-parameter: its parameters are x, signal, y, n
{
    y[threadIdx.x] = x[threadIdx.x] * signal[n];
}
