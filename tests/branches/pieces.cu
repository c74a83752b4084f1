// A function of five pieces: a flat floor, a parabola, a line, a root, and a ceiling that only large values meet.
// s2sad: --of y --wrt x,a
extern "C" __global__ void pieces(const float *x, const float *a, float *y, int n, float ceiling)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    float r;
    if (v < -6.0f)
        r = 0.5f * a[i];
    else if (v < 0.5f)
        r = a[i] * v * v;
    else if (v < 8.0f)
        r = 3.0f * v + a[i];
    else
        r = a[i] * sqrtf(v);
    if (r > ceiling)
        r = ceiling + 0.1f * (r - ceiling);
    y[i] = r;
}
