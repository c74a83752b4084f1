extern "C" __global__ void new_style_for(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    int k = 0;
    for (; k < 2;)
        s += x[k++];
    for (auto j = 0u; j < 3u; j += 1u) s += x[j] * x[i];
    for (const float *p = x, *e = x + 3; p != e; ++p) s += *p * x[i];
    y[i] = s;
}
