// refused: goto
extern "C" __global__ void labels_unused(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * x[i];
    goto end;
    end:
    return;
}
