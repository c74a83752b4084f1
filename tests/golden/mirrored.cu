// s2sad: --of y --wrt x
// One array read at four places, three of which may be the same.
extern "C" __global__ void mirrored(const float *x, const int *friend_, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = x[i] * x[n - 1 - i];
        float b = x[friend_[i]] - x[(i + 1) % n];
        y[i] = a * b * b + x[i] / (2.0f + a * a);
    }
}
