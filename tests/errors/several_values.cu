extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = x[i] * float2(1.0f, 2.0f).x;
//                ^^^^^^ no-classes: classes and what belongs to them are not differentiated
}
