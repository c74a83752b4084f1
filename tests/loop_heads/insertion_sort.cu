// The condition of a while loop reads what its body overwrites.
#define K 6
extern "C" __global__ void insertion_sort(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    for (int a = 1; a < K; ++a) {
        float key = v[a];
        int b = a - 1;
        while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; b--; }
        v[b + 1] = key;
    }
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += v[a] * v[a] * (a + 1.0f);
    y[i] = s;
}
