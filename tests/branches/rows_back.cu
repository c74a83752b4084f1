// The backward of rows, by hand.
extern "C" __global__ void rows_back(const float *x, const float *w, const float *grad_y, float *grad_x, float *grad_w,
                                     int count, int width, float floor, int order)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count)
        return;
    float g = grad_y[row];
    if (width == 1) {
        grad_w[row] += x[row] * g;
        grad_x[row] += w[row] * g;
        return;
    }
    float s = 0.0f;
    for (int k = 0; k < width; ++k) {
        float v = x[row * width + k];
        s += order > 6 && v > 0.0f ? v * v * v : v * v;
    }
    float ds;
    if (s < floor) {
        grad_w[row] += s / floor * g;
        ds = w[row] / floor * g;
    } else {
        float r = sqrtf(s + 1.0f);
        float dr = w[row] * g;
        if (order == 3 || order == 29) {
            grad_w[row] += r * r * g;
            dr *= 2.0f * r;
        } else {
            grad_w[row] += r * g;
        }
        ds = 0.5f / r * dr;
    }
    for (int k = 0; k < width; ++k) {
        float v = x[row * width + k];
        grad_x[row * width + k] += (order > 6 && v > 0.0f ? 3.0f * v * v : 2.0f * v) * ds;
    }
}
