// [over.ics.rank]: a promotion is better than a conversion, and an exact match than both.
static __device__ float g(int v) { return 0.5f * v; }
static __device__ float g(unsigned v) { return 0.25f * (v & 7); }
static __device__ float g(long v) { return 0.125f * v; }
static __device__ float g(char v) { return 2.0f + v; }
extern "C" __global__ void overload_for_integers(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    char c = m[i];
    short h = m[i];
    unsigned short u = m[i];
    s = sinf(s) * g(c) + g(h) * s;
    s *= 1.0f + g(u) + g(1u - 2) + g(m[i] + 3l);
    s += g(c + c) * s * g('\1') + g(true) * s * s;
    y[i] = s;
}
