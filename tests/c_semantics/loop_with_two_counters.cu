// [stmt.for], [expr.comma]: counters of one declaration that go towards each other.
extern "C" __global__ void loop_with_two_counters(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v[6];
    for (int k = 0; k < 6; ++k)
        v[k] = s * x[k] + x[k + 1];
    for (int a = 0, b = 5; a < b; ++a, --b) {
        float t = v[a];
        v[a] = v[b] * t;
        v[b] = sinf(t);
    }
    y[i] = s * v[0] + v[5] * v[1];
}
