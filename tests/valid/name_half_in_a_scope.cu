extern "C" __global__ void name_half_in_a_scope(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    {
        float half = 0.5f;
        s *= half * s;
    }
    float two[2] = {1.0f, 2.0f};
    for (float half : two)
        s = s * half + x[i];
    auto twice = [&](float half) { return half * half; };
    y[i] = twice(s);
}
