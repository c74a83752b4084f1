// [stmt.for]: a counter that is a float; the number of iterations is that of the sums.
extern "C" __global__ void loop_over_floats(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (float t = 0.0f; t < 1.0f; t += 0.25f)
        s = sinf(s) * x[(int)(t * 4)] + t * s;
    for (double t = m[i]; t > 0.5; t /= 2)
        s = s * x[(int)t] + t * 0.1 * s;
    y[i] = s;
}
