// The backward of pieces, by hand.
extern "C" __global__ void pieces_back(const float *x, const float *a, const float *grad_y, float *grad_x,
                                       float *grad_a, int n, float ceiling)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    float r, dv, da;
    if (v < -6.0f) {
        r = 0.5f * a[i];
        dv = 0.0f;
        da = 0.5f;
    } else if (v < 0.5f) {
        r = a[i] * v * v;
        dv = 2.0f * a[i] * v;
        da = v * v;
    } else if (v < 8.0f) {
        r = 3.0f * v + a[i];
        dv = 3.0f;
        da = 1.0f;
    } else {
        r = a[i] * sqrtf(v);
        dv = 0.5f * a[i] / sqrtf(v);
        da = sqrtf(v);
    }
    float g = grad_y[i];
    if (r > ceiling)
        g *= 0.1f;
    grad_x[i] += dv * g;
    grad_a[i] += da * g;
}
