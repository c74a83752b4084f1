// help: `(x + k)[(i * 4 + j) * 3 + l]`
// s2sad: --of y --wrt x
extern "C" __global__ void blocks(const float *x, float *y, int k)
{
    int t = threadIdx.x;
    y[t] = (x + k)[(t * 4 + 1) * 3 + 2] * (x + k)[(t * 4 + 0) * 3 + 1];
}
