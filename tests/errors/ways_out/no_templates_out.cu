// help: write it for one type
// s2sad: --of y --wrt x
// the two ends of a clamp
struct Ends { float first, second; };

__global__ void clamped(const float *x, float *y, Ends ends, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = fminf(fmaxf(x[i] * x[i], ends.first), ends.second);
}
