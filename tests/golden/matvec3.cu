// s2sad: --of y --wrt A,x
// Matrix times vector, then normalised: arrays in and out of device functions.
__device__ float dot(const float *a, const float *b, int n)
{
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += a[k] * b[k];
    return s;
}

__device__ void matvec(const float m[3][3], const float in[3], float out[3])
{
    for (int r = 0; r < 3; ++r)
        out[r] = dot(m[r], in, 3);
}

__device__ void normalise(float *v)
{
    float l = rsqrtf(1.0f + dot(v, v, 3));
    for (int k = 0; k < 3; ++k)
        *v++ *= l;
}

extern "C" __global__ void matvec3(const float *A, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float m[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            m[r][c] = A[9 * i + 3 * r + c];
    float v[3];
    matvec(m, x + 3 * i, v);
    normalise(v);
    matvec(m, v, &y[3 * i]);
    y[3 * i + 1] += 0.1f * dot(v, x, 2);
}
