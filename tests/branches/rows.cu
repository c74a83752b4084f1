// A weighted norm of each row; rows that are nearly empty, and rows of one entry, are treated by themselves.
// s2sad: --of y --wrt x,w
extern "C" __global__ void rows(const float *x, const float *w, float *y, int count, int width, float floor, int order)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count)
        return;
    if (width == 1) {
        y[row] = w[row] * x[row];
        return;
    }
    float s = 0.0f;
    for (int k = 0; k < width; ++k) {
        float v = x[row * width + k];
        s += order > 6 && v > 0.0f ? v * v * v : v * v;
    }
    if (s < floor) {
        y[row] = w[row] * s / floor;
        return;
    }
    float r = sqrtf(s + 1.0f);
    if (order == 3 || order == 29)
        r = r * r;
    y[row] = w[row] * r;
}
