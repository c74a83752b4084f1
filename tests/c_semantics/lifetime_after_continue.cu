// [stmt.cont]: continue ends the life of the body's variables; the next iteration has new ones.
extern "C" __global__ void lifetime_after_continue(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 5; ++k) {
        float t = 1.0f;
        int c = 0;
        if (m[k] > 4)
            continue;
        t *= s;
        ++c;
        if (t > 0.6f)
            continue;
        s = sinf(t) * x[k + c] + s;
    }
    y[i] = s;
}
