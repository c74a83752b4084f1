// A condition reads a row in global memory through a pointer.
#define K 6
extern "C" __global__ void row_sorted_by_pointer(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *r = y + i * K;
    for (int a = 0; a < K; ++a) r[a] = x[i * K + a] * x[i * K + a];
    for (int a = 1; a < K; ++a) {
        float key = r[a];
        float *p = r + a - 1;
        int b = a - 1;
        while (b >= 0 && *p > key) { p[1] = *p * 1.1f; --p; b--; }
        p[1] = key * (a + 1.0f);
    }
}
