// [conv.prom], [expr.shift]: a bool that is shifted is an int.
extern "C" __global__ void shift_of_a_bool(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    bool b = m[i] & 1;
    int k = b << 2 | !b << 1;
    s = sinf(s) * x[k];
    bool any = k >> 2;
    s *= x[(any + any) << 1] + (b << any);
    y[i] = s;
}
