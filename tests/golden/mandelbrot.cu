// s2sad: --of smooth --wrt cx,cy
// z <- z^2 + c until it escapes; then a smooth count.
extern "C" __global__ void mandelbrot(const float *cx, const float *cy, float *smooth, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = 0.0f, y = 0.0f;
    int k;
    for (k = 0; k < limit; k++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 16.0f)
            break;
        y = 2.0f * x * y + cy[i];
        x = xx - yy + cx[i];
    }
    if (k < limit)
        smooth[i] = k + 1 - log2f(0.5f * logf(x * x + y * y));
    else
        smooth[i] = x + y;
}
