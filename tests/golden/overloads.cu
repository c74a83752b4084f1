// s2sad: --of y --wrt x
// Overloads as C++17 has them: sin of a float, pow of a float and an int, abs, max of both kinds.
extern "C" __global__ void overloads(const float *x, const int *e, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    double p = pow(v, 3) + pow(v, e[i]) * 0.1;
    float a = sin(v) + exp(-v) * abs(v - 1.0f) + sqrt(v) + max(v, 1.0f);
    y[i] = a * p + max(e[i], 2) + abs(e[i] - 3) * v;
}
