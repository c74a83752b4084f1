// s2sad: --of a --wrt a,scale
// Gram-Schmidt on the rows of a small matrix in global memory: rows in and out of device functions.
__device__ float dot(const float *u, const float *v, int n)
{
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += u[k] * v[k];
    return s;
}

__device__ void subtract(float *u, const float *v, float f, int n)
{
    for (int k = 0; k < n; ++k)
        u[k] -= f * v[k];
}

__device__ bool normalise(float *u, int n, float scale)
{
    float l2 = dot(u, u, n);
    if (l2 < 1e-6f)
        return false;
    float f = scale * rsqrtf(l2);
    for (float *end = u + n; u != end; ++u)
        *u *= f;
    return true;
}

extern "C" __global__ void in_place_rows(float *a, float scale, int rows, int n, int batch)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch)
        return;
    float *m = a + (size_t)b * rows * n;
    for (int r = 0; r < rows; ++r) {
        float *row = m + r * n;
        for (int q = 0; q < r; ++q)
            subtract(row, m + q * n, dot(row, m + q * n, n), n);
        if (!normalise(row, n, scale))
            return;
    }
}
