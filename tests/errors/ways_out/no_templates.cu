// meets: no-templates
// s2sad: --of y --wrt x
// the two ends of a clamp
#include <utility>

__global__ void clamped(const float *x, float *y, std::pair<float, float> ends, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = fminf(fmaxf(x[i] * x[i], ends.first), ends.second);
}
