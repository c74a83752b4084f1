// active, tbr, runs in
__global__ void linear(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    float s = 0.0f;
    for (int k = 0; k < n; ++k)  // active: s (after the loop)
        s += 2.0f * x[i * n + k];  // active: s   tbr: i, n, k (regenerated)   runs in: neither sweep
    s = s - 1.0f;  // active: s   runs in: neither sweep
    y[i] = s;  // tbr: i   runs in: neither sweep
}
