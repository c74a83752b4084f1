// command: --store speed --assume injective:order
extern "C" __global__ void walk(const float *x, float *y, int n)
//                         ^^^^ no-such-variable: in this kernel
//                         ^^^^ no-such-variable: in this kernel
{
    float s = x[threadIdx.x];
    for (int k = 0; k < n; ++k)
        s = sinf(s);
    y[threadIdx.x] = s;
}
