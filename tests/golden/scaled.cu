// s2sad: --of y --wrt x
// The adjoint is one line, right behind the guard: it must stay there.
extern "C" __global__ void scaled(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 2.0f * x[i];
}
