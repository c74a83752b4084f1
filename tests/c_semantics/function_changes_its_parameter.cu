// [expr.call]: a parameter is initialised with the argument's converted value, then it is a variable.
static __device__ float series(unsigned char k, float v)
{
    float sum = 0.0f;
    for (; k > 252; ++k) {
        v *= 0.5f * v;
        sum += v * (k & 3);
    }
    return sum + k;
}
extern "C" __global__ void function_changes_its_parameter(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = s * (1.0f + series(509 + (m[i] & 1), s + x[1]));
    y[i] = s + series(3, s);
}
