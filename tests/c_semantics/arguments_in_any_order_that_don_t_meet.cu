// [expr.call]: the order of arguments is open; where it makes no difference it doesn't matter.
static __device__ float mix(float a, float b, int k) { return a * (k + 1) + b * a; }
static __device__ float grown(float &v) { v *= 1.5f; return v; }
extern "C" __global__ void arguments_in_any_order_that_don_t_meet(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int j = m[i];
    int k = 1;
    float t = s;
    s = mix(x[j++], x[++k], 3);
    s = mix(grown(s), grown(t), m[j]);
    s *= x[j] * x[k];
    y[i] = mix(s, t, (j += 2, j & 3));
}
