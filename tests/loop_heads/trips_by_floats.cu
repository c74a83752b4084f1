// The trips of an inner loop depend on floating values that both sweeps would compute.
#define K 6
extern "C" __global__ void trips_by_floats(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i * K];
    float t = 0.0f;
    for (int a = 1; a < K; ++a) {
        int c = 0;
        while (s * 1.1f < 2.5f && c < 4) { s = s * 1.4f + 0.1f * x[i * K + a]; t += s * s; ++c; }
        s = 0.3f * s * x[i * K + a];
    }
    y[i] = t + s;
}
