extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    auto v;
//  ^^^^^^ no-auto: the type is left open
    y[i] = v * v;
}
