// s2sad: --of y --wrt x
// One variable that is overwritten twice.
extern "C" __global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        s = s * x[i];
        s = cosf(s);
        y[i] = s * s;
    }
}
