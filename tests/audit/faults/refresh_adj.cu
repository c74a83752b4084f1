extern "C" __global__ void refresh_adj(int n, const float *x, float *adj_x, float *y, float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0) {
        float g = adj_y[i];
        adj_y[i] = 0.0f;
        adj_x[i] += 2.0f * x[i] * g;
    }
}
