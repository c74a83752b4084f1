// [basic.scope]: a function's parameters are its own copies; the caller's variables stay.
static __device__ float powers(float v, int n)
{
    float r = 1.0f;
    while (n-- > 0) {
        r *= v;
        v = sinf(v);
    }
    return r + n * v;
}
extern "C" __global__ void scope_of_a_parameter_in_a_function(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] & 3;
    float v = s * x[1];
    s = powers(v, k) * s;
    s += powers(s, k) * v;
    n = 2;
    y[i] = s * x[k] * v * x[n];
}
