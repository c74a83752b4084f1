// The condition reads a column of shared memory.
#define K 6
extern "C" __global__ void column_of_shared_memory(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __shared__ float t[K][32];
    int l = threadIdx.x;
    for (int a = 0; a < K; ++a) t[a][l] = x[i * K + a] * x[i * K + a];
    for (int pass = 0; pass < K; ++pass) {
        int b = 0;
        while (b + 1 < K && t[b][l] < t[b + 1][l] * 1.5f) { t[b][l] *= 1.2f; b++; }
        if (b + 1 < K) { float h = t[b][l]; t[b][l] = t[b + 1][l]; t[b + 1][l] = h * 1.1f; }
    }
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += t[a][l] * (a + 1.0f);
    y[i] = s;
}
