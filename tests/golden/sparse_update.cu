// s2sad: --of y --wrt x,y
// Only some elements are written: the others keep their seed.
extern "C" __global__ void sparse_update(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0.0f && i % 2 == 0)
        y[i] = x[i] * y[i] * y[i];
    else if (x[i] < -1.0f)
        y[i] = 0.0f;
}
