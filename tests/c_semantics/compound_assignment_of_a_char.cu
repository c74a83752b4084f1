// [expr.ass]: c += 300 adds ints and stores what a char holds of the sum.
extern "C" __global__ void compound_assignment_of_a_char(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char c = m[i];
    c += 300;
    s = sinf(s) * x[c & 15];
    c -= 200;
    s *= x[c >> 4];
    c *= 2;
    s *= x[c >> 4] + s;
    signed char d = m[i];
    d -= 130;
    s *= d > 0 ? x[d & 15] : x[-d & 7];
    y[i] = s;
}
