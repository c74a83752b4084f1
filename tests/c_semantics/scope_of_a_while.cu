// [stmt.while]: a declaration in the condition is made anew in each iteration.
extern "C" __global__ void scope_of_a_while(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 0;
    while (int left = m[i] - k) {
        s = sinf(s) * x[left] + s;
        left -= 5;
        if (left > 0)
            s *= x[left];
        ++k;
    }
    y[i] = s * x[k];
}
