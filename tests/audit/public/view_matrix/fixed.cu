// All points add to the one matrix, in a way that loses nothing.
__global__ void view_backward(int n, const float *__restrict__ m, const float *__restrict__ point,
                              const float *__restrict__ seen, const float *__restrict__ dL_dseen,
                              float *__restrict__ dL_dm, float *__restrict__ dL_dpoint)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p[4] = {point[3 * i], point[3 * i + 1], point[3 * i + 2], 1.0f};
    float u = seen[3 * i], v = seen[3 * i + 1], depth = seen[3 * i + 2];
    float g[3] = {dL_dseen[3 * i] / depth, dL_dseen[3 * i + 1] / depth, dL_dseen[3 * i + 2]};
    g[2] -= u * g[0] + v * g[1];
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k < 4; ++k)
            atomicAdd(&dL_dm[3 * k + row], g[row] * p[k]);
    for (int k = 0; k < 3; ++k)
        dL_dpoint[3 * i + k] = m[3 * k] * g[0] + m[3 * k + 1] * g[1] + m[3 * k + 2] * g[2];
}
