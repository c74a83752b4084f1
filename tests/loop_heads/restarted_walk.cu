// An outer loop starts a loop anew whose condition reads one element that both overwrite.
#define K 6
extern "C" __global__ void restarted_walk(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[K];
    for (int a = 0; a < K; ++a) v[a] = x[i * K + a];
    float s = 0.0f;
    for (int r = 0; r < 4; ++r) {
        int c = 0;
        while (c < 5 && v[0] < 0.8f) { v[0] = v[0] * 1.3f + 0.1f * v[c]; s += v[0] * v[c]; c++; }
        v[0] = 0.4f * v[0] + 0.1f * v[r];
    }
    y[i] = s;
}
