// [basic.fundamental]: minus zero equals zero, and the sign shows in a quotient or by signbit.
extern "C" __global__ void zero_with_a_sign(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float z = m[i] > 3 ? -0.0f : 0.0f;
    if (z == 0.0f)
        s = sinf(s) * x[1];
    if (1.0f / z < 0.0f)
        s *= x[2] + s;
    s = copysignf(s, z) * x[3];
    s *= signbit(z) ? x[4] : x[5];
    if (-z < z)
        s = 0.0f;
    y[i] = s * s + (bool)z;
}
