// [stmt.switch], [dcl.enum]: a switch over an enumeration.
enum Shape { ROUND, FLAT, BENT };
extern "C" __global__ void enumeration_selects(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 4; ++k) {
        Shape shape = Shape((m[i] + k) % 3);
        switch (shape) {
        case ROUND:
            s = sinf(s) * x[k];
            break;
        case BENT:
            s *= x[k + 1];
        case FLAT:
            s += 0.5f * s * s;
        }
    }
    y[i] = s;
}
