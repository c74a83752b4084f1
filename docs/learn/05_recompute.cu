// s2sad: --of y --wrt x,w
// Some values are cheap to compute again, and some are not.
#define STEPS 16

extern "C" __global__ void decay(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        for (int k = 0; k < STEPS; ++k) {
            float rate = 0.5f * w[k * n + i];
            s = s * expf(-rate * s);
        }
        y[i] = s;
    }
}
