extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float w[2] = {0.5f, 0.25f};
    float s = 0.0f;
    for (float v : w)
//  ^^^ no-range-for: not differentiated yet
        s += v * x[i];
    y[i] = s;
}
