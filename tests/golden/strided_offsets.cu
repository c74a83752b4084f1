// s2sad: --of y --wrt x
// Offsets that walk by what an outer loop sets: up, down, and beside a sum that needs them.
extern "C" __global__ void strided_offsets(const float *x, float *y, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    int stride = width;
    for (int pass = 0; pass < 3; ++pass) {
        int up = i;
        unsigned down = 4u * stride;
        int left = 4;
        while (left > 0) {
            s = s * x[up] + sinf(x[down + i]);
            up += stride;
            down -= stride;
            --left;
        }
        stride += pass + 1;
    }
    y[i] = s;
}
