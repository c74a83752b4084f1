// [stmt.switch], [conv.prom]: a char or a bool is promoted; the cases are converted to that type.
extern "C" __global__ void switch_promotes_its_selector(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    signed char c = m[i] - 3;
    switch (c) {
    case -1:
        s = sinf(s) * x[1];
        break;
    case 'a' - 'b' + 2:
        s *= x[2];
        break;
    case 0x2:
        s *= x[3] + s;
    }
    unsigned char u = 250 + m[i];
    switch (u + 1) {
    case 256:
        s *= x[4];
        break;
    case 0:
        s = 0.0f;
        break;
    default:
        s *= s;
    }
    switch (s > 0.1f) {
    case false:
        s *= x[5];
        break;
    case true:
        s *= x[6];
    }
    switch (m[i] * 1000000007ll) {
    case 3000000021:
        s *= x[7] + s;
    }
    y[i] = s;
}
