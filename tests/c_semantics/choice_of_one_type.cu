// [expr.cond]: both sides are converted to one type, whichever is chosen.
extern "C" __global__ void choice_of_one_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int minus = -1 - m[i];
    if ((m[i] >= 0 ? minus : 0u) > 5)
        s = sinf(s) * x[1];
    s *= 3 / (m[i] > 3 ? 2 : 2.0f);
    char c = 100;
    s *= x[sizeof(m[i] ? c : c) + sizeof(m[i] ? c : (short)1)];
    long l = m[i] >= 0 ? minus : 0l;
    if (l < 0)
        s *= x[2] + s;
    l = m[i] >= 0 ? minus : 0u;
    if (l < 0)
        s = 0.0f;
    y[i] = s;
}
