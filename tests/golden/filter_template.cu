// s2sad: --of out --wrt in,w
// A template that walks a pointer over a shared tile, called behind an early return: each thread's
// pointer is its own, though the reversed loop stands outside the guard.
template <int R>
__device__ float filt(const float *row, const float *w, int step)
{
    float s = 0.0f;
    const float *p = row - R * step;
    for (int k = -R; k <= R; ++k, p += step)
        s += *p * w[k + R];
    return s;
}
__global__ void smooth(const float *in, const float *w, float *out, int n)
{
    __shared__ float tile[64 + 4];
    int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x + 2] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < 2) {
        int l = i - 2, r = i + 64;
        tile[threadIdx.x] = l >= 0 ? in[l] : 0.0f;
        tile[threadIdx.x + 66] = r < n ? in[r] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float v = filt<2>(&tile[threadIdx.x + 2], w, 1);
    out[i] = v * expf(-v);
}
