// A local array is filled in a loop whose condition reads a row that it overwrites.
#define K 6
extern "C" __global__ void row_and_local_array(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *r = y + i * K;
    float w[K];
    for (int a = 0; a < K; ++a) { r[a] = x[i * K + a] * x[i * K + a]; w[a] = 1.0f; }
    int c = 0;
    while (c < 5 && r[c] < 1.5f) { w[c] = x[i * K + c] * r[c]; r[c + 1] = r[c] * r[c + 1]; r[c] = 2.0f * r[c]; c++; }
    float s = 0.0f;
    for (int a = 0; a < K; ++a) s += w[a] * w[a];
    r[0] = s * r[0];
}
