// [stmt.dcl], [basic.stc.auto]: a variable of a loop's body begins anew in each iteration.
extern "C" __global__ void lifetime_of_a_variable_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 4; ++k) {
        float t = x[k];
        if (k & 1)
            t *= s;
        for (int j = 0; j < 2; ++j)
            t = sinf(t) * s + t;
        s += t * x[k + 1];
    }
    y[i] = s;
}
