// [stmt.break]: break ends the loop that it stands in, and no other.
extern "C" __global__ void break_of_the_innermost_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 4; ++k) {
        int j = 0;
        while (true) {
            s = sinf(s) * x[j] + s;
            if (++j > m[k] || j > 3)
                break;
            if (s > 2.0f)
                continue;
            s *= x[j + k];
        }
        if (j == 1 && k == 2)
            break;
    }
    y[i] = s;
}
