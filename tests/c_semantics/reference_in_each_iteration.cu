// [dcl.ref], [stmt.dcl]: a reference of a loop's body is bound anew.
extern "C" __global__ void reference_in_each_iteration(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v[5];
    for (int k = 0; k < 5; ++k)
        v[k] = s * x[k] + x[k + 1];
    for (int k = 0; k < 4; ++k) {
        float &here = v[k];
        const float &next = v[k + 1];
        here = sinf(here) * next;
        s += here * v[m[i] % 5];
    }
    y[i] = s;
}
