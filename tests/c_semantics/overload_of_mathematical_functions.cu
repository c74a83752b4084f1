// [cmath.syn]: sin of a float is a float's, pow of a float and an int a double's, abs of an int an int.
extern "C" __global__ void overload_of_mathematical_functions(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = sin(s) * sqrt(x[1]) + exp(-s);
    double d = cos(s * 1.0) * pow(s, 2);
    int k = abs(-3 - m[i]);
    s = fabs(-s) * x[k & 15] + abs(-0.5f * s);
    s *= max(m[i], 2) + min(3, k) * fmax(s, x[1]) + fmin(d, 0.5);
    s *= fma(s, s, x[2]) + fmod(5.5f, 2.0f);
    y[i] = s + d;
}
