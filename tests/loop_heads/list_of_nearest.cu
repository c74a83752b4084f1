// A list of the nearest is kept sorted, under a condition.
#define K 6
extern "C" __global__ void list_of_nearest(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best[4];
    for (int a = 0; a < 4; ++a) best[a] = 9.0f + a;
    for (int a = 0; a < K; ++a) {
        float d = x[i * K + a] * x[i * K + a];
        if (d < best[3]) {
            int p = 3;
            while (p > 0 && best[p - 1] > d) { best[p] = best[p - 1]; --p; }
            best[p] = d;
        }
    }
    y[i] = best[0] + 2.0f * best[1] * best[1] + 3.0f * best[2] + 4.0f * best[3];
}
