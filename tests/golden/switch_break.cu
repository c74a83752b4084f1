// s2sad: --of y --wrt x,p
// A switch whose cases all break, with a default and two labels on one case.
enum { RELU, TANH, SIGMOID, IDENTITY };

extern "C" __global__ void switch_break(const float *x, const float *p, const int *kind, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i] * p[i];
    float r;
    switch (kind[i]) {
    case 0:
        r = v > 0.0f ? v : 0.0f;
        break;
    case 1:
        r = tanhf(v);
        break;
    case 2:
        r = 1.0f / (1.0f + expf(-v));
        break;
    case 3:
    case 4:
        r = v;
        break;
    default:
        r = v * v;
    }
    y[i] = r;
}
