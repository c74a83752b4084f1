// [dcl.ref], [expr.call]: a function changes what its caller named; two may name one variable.
static __device__ void exchange(float &a, float &b)
{
    float t = a;
    a = b * 1.5f;
    b = t * t;
}
static __device__ float doubled(float &a, const float &b)
{
    a += b;
    return a * b;
}
extern "C" __global__ void reference_as_a_parameter(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float t = x[1] * s;
    exchange(s, t);
    s = sinf(s) * t;
    float q = doubled(s, s);
    q += doubled(t, s);
    exchange(t, t);
    y[i] = s * q * t;
}
