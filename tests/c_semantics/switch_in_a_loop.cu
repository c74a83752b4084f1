// [stmt.break], [stmt.cont]: break leaves the switch, continue the iteration.
extern "C" __global__ void switch_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 6; ++k) {
        switch ((m[i] + k) & 3) {
        case 0:
            continue;
        case 1:
            s = sinf(s) * x[k];
            break;
        case 2:
            if (k > 3)
                break;
            s *= x[k] + s;
        default:
            s += 0.3f * s * x[k];
        }
        s *= x[k + 1];
    }
    y[i] = s;
}
