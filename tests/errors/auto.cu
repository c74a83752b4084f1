extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    auto v;
//  ^^^^^^ no-auto: no value determines the type
    y[i] = v * v;
}
