#ifdef FAST
// columns 1 to 11: unterminated-if: it begins here
#define FACTOR 2.0f

extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}
