// s2sad: --of y --wrt x
// Where the loop was left is asked for behind it: its counter outlives it.
extern "C" __global__ void left_at(const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 0;
    for (; k < m; ++k) {
        if (s > 3.0f)
            break;
        s = s * x[i] + 1.0f;
    }
    y[i] = s * k;
}
