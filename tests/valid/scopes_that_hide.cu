extern "C" __global__ void scopes_that_hide(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    {
        float s = x[i + 1];
        {
            int s = 3;
            y[i] = s;
        }
        y[i] *= s;
    }
    if (int s = m[i]; s > 3)
        y[i] *= 2.0f;
    y[i] *= s;
}
