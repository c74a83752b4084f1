// help: needs `const float *`
// s2sad: --of y --wrt x
// the cast takes the const away
extern "C" __global__ void squares(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *mine = x + i;
    if (i < n)
        y[i] = mine[0] * mine[0];
}
