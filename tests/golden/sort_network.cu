// s2sad: --of y --wrt x
// The median of five by a sorting network on a local array.
__device__ __forceinline__ void order(float *a, float *b)
{
    if (*a > *b) {
        float t = *a;
        *a = *b;
        *b = t;
    }
}

extern "C" __global__ void sort_network(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 4 >= n)
        return;
    float v[5];
    const float *window = x + i;
    for (float *p = v; p != v + 5; ++p)
        *p = *window++ * 2.0f;
    order(v, v + 1);
    order(&v[3], &v[4]);
    order(v + 2, v + 4);
    order(&v[2], &v[3]);
    order(&v[1], &v[4]);
    order(v, &v[3]);
    order(v, &v[2]);
    order(&v[1], &v[3]);
    order(&v[1], &v[2]);
    y[i] = v[2] * v[2] + v[0];
}
