// [dcl.ref]: a reference means the element that it was bound to, whatever its index becomes.
extern "C" __global__ void reference_stays_with_its_element(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v[4] = {s, x[1], s * s, x[2] * s};
    int k = m[i] & 1;
    float &r = v[k];
    const float &q = v[k + 2];
    ++k;
    r *= q;
    v[k] += r * x[3];
    k = 0;
    s = sinf(r) + q * v[1];
    y[i] = s * v[0] * x[k];
}
