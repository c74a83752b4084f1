// [stmt.do], [stmt.cont]: continue goes to the condition.
extern "C" __global__ void continue_in_a_do(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 0;
    do {
        if (m[k] & 1)
            continue;
        s = sinf(s) * x[k] + s;
        if (s > 1.2f)
            break;
        s *= x[k + 1];
    } while (++k < 5);
    y[i] = s * x[k];
}
