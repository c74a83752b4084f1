// [basic.fundamental]: a difference of unsigned numbers becomes negative by a cast.
extern "C" __global__ void wrapping_difference_as_a_distance(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned a = m[i];
    unsigned b = 5;
    int apart = (int)(a - b);
    s = sinf(s) * x[apart < 0 ? -apart : apart];
    if (a - b < 4)
        s *= x[a - b];
    unsigned short u = a - b;
    short v = u;
    s *= x[v + 5];
    y[i] = s * x[(a - b) >> 28];
}
