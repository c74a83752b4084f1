// The sort is a function of its own.
#define K 6
__device__ void sort_sort_of_a_function(float *v, int n) {
    for (int a = 1; a < n; ++a) {
        float key = v[a];
        int b = a - 1;
        while (b >= 0 && v[b] > key) { v[b + 1] = v[b]; b--; }
        v[b + 1] = key;
    }
}
extern "C" __global__ void sort_of_a_function(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    sort_sort_of_a_function(v, m);
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += v[a] * v[a] * (a + 1.0f);
    y[i] = s;
}
