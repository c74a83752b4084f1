// A product that a short can't hold starts the loop: 0, 0, 6, 1 trips.
#define K 6
extern "C" __global__ void product_that_wraps_in_a_short(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int a = 0; a < 4; ++a) {
        short b = a * 20000;
        for (int j = b; j < -5530; j += 4000)
            s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    }
    y[i] = s;
}
