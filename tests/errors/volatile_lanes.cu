__device__ void last_warp(volatile float *s, int t)
//                                 ^^^^^^^^ volatile: its value may change at any time
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
}

__device__ float set(volatile int *flag)
//                            ^^^^^^^^^ volatile: its value may change at any time
{
    return flag[0];
}

__global__ void sums(const float *x, float *y, volatile int *flag)
//                                                      ^^^^^^^^^ volatile: its value may change at any time
{
    volatile __shared__ float v[64];
//                      ^^^^^^^ volatile: its value may change at any time
    volatile __shared__ float w[64];
//                      ^^^^^^^ volatile: its value may change at any time
    volatile __shared__ int ready[1];
//                      ^^^^^^^^^ volatile: its value may change at any time
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 32)
        v[t] = x[t];
    else
        y[t] = v[t - 32];
    w[t] = x[t];
    for (int go = 1; go;) {
        __syncthreads();
        go = ready[0];
    }
    flag[t] = flag[t + 1];
    last_warp(s, t);
    y[t] = set(flag) * s[t];
    while (w[0] == 0.0f) {
    }
}
