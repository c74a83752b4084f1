extern "C" __global__ void range_for(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[3] = {x[i], x[i + 1], x[i + 2]};
    float s = 0.0f;
    for (float &r : v)
        r *= r;
    for (const auto &r : v)
        s += r;
    for (auto r : v) {
        s += r * s;
    }
    y[i] = s;
}
