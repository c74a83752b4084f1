// Elements that two lanes store, the second behind a barrier of the warp, in shared and in global memory.
extern "C" __global__ void phases(const float *x, float *y, float *z, int n)
{
    __shared__ float s[64], first[2];
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;
    float v = i < n ? x[i] : 0.0f;
    if (i < n)
        z[i] = v * v;
    s[t] = sinf(v);
    __syncwarp();
    if (lane < 31) {
        if (i + 1 < n)
            z[i + 1] = v * 3.0f;
        s[t + 1] = v * 0.5f;
    }
    __syncwarp();
    float a = s[t] * s[t];
    for (int d = 0; d < 3; ++d) {
        if (lane == d)
            first[t / 32] = a * v;
        __syncwarp();
        a += first[t / 32] * v;
        __syncwarp();
        if (lane == d + 1 && i < n)
            z[i] = a;
        __syncwarp();
        if (lane == d && i + 1 < n)
            z[i + 1] = a * a;
        __syncwarp();
    }
    if (i < n)
        y[i] = a;
}
