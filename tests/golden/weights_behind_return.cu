// s2sad: --of y --wrt x,w
// The first threads of each block leave: an index that only the others have is no index for the
// thread that adds a block's sum.
__global__ void late(const float *x, const float *w, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % blockDim.x < 3 || i >= n) return;
    int base = m / 2;
    base += 1;
    float s = 0.4f;
    for (int k = 0; k < 4; ++k)
        s += w[base + k] * x[i] * sinf(s);
    y[i] = s;
}
