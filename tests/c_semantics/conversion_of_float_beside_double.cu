// [expr.arith.conv]: a float beside a double becomes a double; the result is stored as a float again.
extern "C" __global__ void conversion_of_float_beside_double(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    double d = x[i];
    float f = x[i + 1];
    double p = d * f;
    float q = d * f;
    for (int k = 0; k < 3; ++k) {
        p = sin(p) * q + f;
        q = p * x[k] + 0.1 * q;
    }
    y[i] = p * q;
}
