// The backward of settle, by hand.
extern "C" __global__ void settle_back(const float *x, const float *c, const float *grad_y, float *grad_x,
                                       float *grad_c, int n, int steps, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    int trips = 0;
    for (int j = 0; j < steps; ++j) {
        ++trips;
        s += c[i] * x[i] * x[i];
        if (s > 37.5f)
            break;
    }
    float before = s;
    if (steps == 17)
        s *= 2.0f * c[i];
    if (limit > 200.0f)
        s += 3.0f * x[i];
    float g = grad_y[i];
    float gx = 0.0f, gc = 0.0f;
    if (x[i] < -4.0f) {
        gx += s * g;
        g *= x[i];
    }
    if (limit > 200.0f)
        gx += 3.0f * g;
    if (steps == 17) {
        gc += 2.0f * before * g;
        g *= 2.0f * c[i];
    }
    gx += 2.0f * trips * c[i] * x[i] * g;
    gc += trips * x[i] * x[i] * g;
    grad_x[i] += gx;
    grad_c[i] += gc;
}
