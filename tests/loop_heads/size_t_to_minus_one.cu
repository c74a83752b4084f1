// The same of size_t.
#define K 6
extern "C" __global__ void size_t_to_minus_one(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (size_t j = 5; j != (size_t)-1; --j) s = s * x[i * K + j] + 0.5f * s * s;
    y[i] = s;
}
