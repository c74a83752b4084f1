// The same by a break.
#define K 6
extern "C" __global__ void insertion_sort_break(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    for (int a = 1; a < K; ++a) {
        float key = v[a];
        int b = a;
        for (; b > 0; --b) { if (!(v[b - 1] > key)) break; v[b] = v[b - 1] * v[b-1]; }
        v[b] = key;
    }
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += v[a] * v[a] * (a + 1.0f);
    y[i] = s;
}
