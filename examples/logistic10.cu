// Ten steps of the logistic map x -> r x (1 - x), where a small change grows or dies.
// s2sad: --of last --wrt first,r
extern "C" __global__ void logistic10(const float *first, float *last, float r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float x = first[i];
    for (int step = 0; step < 10; step++)
        x = r * x * (1.0f - x);
    last[i] = x;
}
