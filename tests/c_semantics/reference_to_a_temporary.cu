// [class.temporary], [dcl.init.ref]: it lives as long as the reference; one of another type is a copy.
extern "C" __global__ void reference_to_a_temporary(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    const float &t = s * x[1];
    s = sinf(s) + t;
    int k = m[i];
    const float &copy = k;
    k += 3;
    s *= copy + t;
    const int &whole = 2.7f * x[2];
    s *= x[whole] * x[k];
    const float &same = s;
    s = s * s;
    y[i] = same * t * s;
}
