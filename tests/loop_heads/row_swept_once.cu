// A loop that runs once overwrites the row that its condition reads.
#define K 6
extern "C" __global__ void row_swept_once(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *r = y + i * K;
    for (int a = 0; a < K; ++a) r[a] = x[i * K + a] * x[i * K + a];
    int c = 0;
    while (c < 5 && r[c] < 1.5f) { r[c + 1] = r[c] * r[c + 1]; r[c] = 2.0f * r[c]; c++; }
}
