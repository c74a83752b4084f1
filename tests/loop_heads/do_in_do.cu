// Two do loops, of which the inner one asks for what it has just stored.
#define K 6
extern "C" __global__ void do_in_do(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    int a = 0;
    do {
        int b = 0;
        do { v[b + 1] = v[b] * v[b + 1]; ++b; } while (b < K - 1 && v[b] < 1.2f);
        ++a;
    } while (a < 3 && v[a] > 0.05f);
    float s = 0.0f;
    for (int q = 0; q < K; ++q) s += v[q] * (q + 1.0f);
    y[i] = s;
}
