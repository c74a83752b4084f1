// s2sad: --of y --wrt x,e
// pow with constant exponents that are small integers, one that isn't, and a variable one.
extern "C" __global__ void powers(const float *x, const float *e, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = powf(x[i], 2.0f) + powf(x[i], 3.0f) - powf(x[i], -1.5f);
    float b = powf(x[i], e[i]);
    float c = powf(2.0f, e[i]) + exp2f(e[i]) + exp10f(0.1f * e[i]);
    y[i] = a * b - c;
}
