extern "C" __global__ void jump(const float *x, float *y, int n)
{
    int i = threadIdx.x;
again:
    y[i] = 2.0f * x[i];
    if (y[i] < 1.0f)
        goto again;
//      ^^^^ goto: not structured control flow
}
