extern "C" __global__ void broken(const float *x, float *y)
{
// columns 1 to 1: syntax-error: not closed
    if (x[0] > 0.0f) {
        y[threadIdx.x] = x[threadIdx.x];
}
