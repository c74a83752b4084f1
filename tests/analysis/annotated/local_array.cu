// active, tbr
__global__ void local_array(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[4];  // active: v[..]
    for (int k = 0; k < 4; ++k)
        v[k] = x[4 * i + k];  // tbr: i, k (regenerated)
    for (int k = 1; k < 4; ++k)
        v[k] = v[k] * v[k - 1];  // tbr: v[k - 1] (reloaded), k (regenerated), v[k] (recorded)
    y[i] = v[3];  // tbr: i
}
