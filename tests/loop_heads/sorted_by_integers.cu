// The condition reads integers that the loop overwrites.
#define K 6
extern "C" __global__ void sorted_by_integers(const float *x, float *y, const int *idx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int q[K];
    float v[K];
    for (int a = 0; a < K; ++a) { v[a] = x[i * K + a]; q[a] = idx[i * K + a]; }
    for (int a = 1; a < K; ++a) {
        int key = q[a];
        float kv = v[a];
        int b = a - 1;
        while (b >= 0 && q[b] > key) { q[b + 1] = q[b]; v[b + 1] = v[b]; b--; }
        q[b + 1] = key;
        v[b + 1] = kv;
    }
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += v[a] * v[a] * (a + 1.0f);
    y[i] = s;
}
