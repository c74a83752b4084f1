// A sort inside another loop.
#define K 6
extern "C" __global__ void sorted_twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    for (int r = 0; r < 2; ++r) {
        for (int a = 1; a < K; ++a) {
            float key = v[a];
            int b = a - 1;
            while (b >= 0 && v[b] > key) { v[b + 1] = v[b] * 0.95f; b--; }
            v[b + 1] = key * 1.05f;
        }
        v[r] = v[r] * v[r + 1] + 0.3f;
    }
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += v[a] * v[a] * (a + 1.0f);
    y[i] = s;
}
