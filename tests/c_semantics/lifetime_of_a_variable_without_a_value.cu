// [stmt.dcl]: a variable that is declared without a value and set on one of the ways.
extern "C" __global__ void lifetime_of_a_variable_without_a_value(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 4; ++k) {
        float t;
        if (m[k] > 3)
            t = s * x[k];
        else
            t = x[k + 1];
        s = sinf(s) * t + t * t;
    }
    y[i] = s;
}
