// [expr.arith.conv]: an integer beside a float becomes a float, after its own arithmetic.
extern "C" __global__ void conversion_of_int_to_float_in_a_product(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] + 1;
    s = s * (k / 2) + k / 2.0f;
    s = sinf(s) * (7 / k * 0.5f) + 0.5f * (7 / k) * s;
    k = 3 * k;
    s *= k * x[k & 15];
    y[i] = s;
}
