// The loop only reads; what follows it in the outer loop overwrites.
#define K 6
extern "C" __global__ void array_changed_afterwards(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    float s = 0.0f;
    for (int a = 0; a < K; ++a) {
        int c = 0;
        while (c < K && v[c] < 1.2f) { s += v[c] * x[i * K + a]; ++c; }
        v[a] = v[a] * 1.5f;
    }
    y[i] = s;
}
