// [conv.integral]: a negative short becomes a large unsigned int, and a long keeps that number.
extern "C" __global__ void conversion_of_a_negative_short_by_way_of_unsigned(const float *x, const int *m, float *y,
                                                                             int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    short s = m[i] - 4;
    long z = (unsigned)s;
    long long sum = 0;
    sum += (unsigned)s;
    if (z > 8)
        v = v * v;
    y[i] = v * (sum > 8 ? 2.0f : v) + v * ((unsigned)s > 4294967290L ? 1.0f : v);
}
