// [conv.integral]: a short that counts in steps of an int; each value is what the short holds.
extern "C" __global__ void narrowing_of_a_loop_counter(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (short k = 2 * m[i]; k > -3; k -= 3)
        s = sinf(s) * x[k & 15] + s;
    for (signed char k = -4; k <= 4; k += 2)
        s = s * x[k + 4] + s * s * 0.25f;
    y[i] = s;
}
