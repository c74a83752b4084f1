extern "C" __global__ void many(const float *x, float *y, int n)
{
    __shared__ float tile[64];
    int i = threadIdx.x;
    tile[i] = x[i];
    __syncthreads();
    float s = lost;
//            ^^^^ unknown-name: no such name here
    s += __shfl_down_sync(0xffffffff, s, 1);
    atomicAdd(&y[0], s);
    if (s > 0.0f)
        s = missing(s);
//          ^^^^^^^ unknown-function: neither a `__device__` function of this file nor a built-in
    const float *p = x + n;
    y[i] = s + p[i];
}
