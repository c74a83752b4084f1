// [expr.mul], [expr.ass]: /= and %= of a negative number.
extern "C" __global__ void quotient_by_assignment_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = -100 - m[i];
    while (a) {
        s = sinf(s) * x[-(a % 10)] + s;
        a /= 10;
    }
    a = -17;
    a %= 5;
    s *= x[-a];
    y[i] = s;
}
