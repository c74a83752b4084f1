// s2sad: --of y --wrt x,z
// What the hardware has names for; loads that name a cache.
extern "C" __global__ void intrinsics(const float *__restrict__ x, const float *__restrict__ z,
                                      float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = __ldg(&x[i]);
    float w = __ldg(z + i);
    float a = __fmaf_rn(v, w, 1.0f) + __fdividef(v, 1.0f + w * w);
    float b = __sinf(v) * __cosf(w) + __expf(-v * v) + __logf(2.0f + v * v);
    float c = __fsqrt_rn(1.0f + v * v) * __frcp_rn(2.0f + w) + __powf(1.5f + v * v, w);
    float d = __saturatef(0.5f + 0.1f * v) + rhypotf(v, 1.0f) + __fadd_rn(a, b) * 0.1f;
    y[i] = a * b + c * d;
}
