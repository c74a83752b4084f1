// help: compute the right side in a preceding statement: `float right = …;`
// s2sad: --of y --wrt x
extern "C" __global__ void products(const float *x, float *y)
{
    int k = threadIdx.x;
    float p[8];
    for (int j = 0; j < 8; ++j)
        p[j] = x[j];
    float right = p[k + 1];
    p[k++] *= right;
    y[threadIdx.x] = p[threadIdx.x] + p[k];
}
