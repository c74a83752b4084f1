// [expr.post.incr], [conv.integral]: c++ yields 255 and leaves zero.
extern "C" __global__ void increment_of_a_narrow_type(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char c = 255;
    int before = c++;
    s = sinf(s) * x[before & 15] * x[c];
    before = c--;
    s *= x[before] * x[c >> 4];
    short h = -1 - m[i];
    int after = ++h;
    s *= x[-after];
    unsigned u = 0;
    s *= x[--u >> 28];
    s *= x[++u];
    y[i] = s;
}
