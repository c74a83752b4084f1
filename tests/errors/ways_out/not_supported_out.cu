// help: write the values in order
// s2sad: --of y --wrt x
// a point with its fields by name
struct Point { float x, y; };

extern "C" __global__ void lengths(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Point p = {x[i], 2.0f * x[i]};
        y[i] = sqrtf(p.x * p.x + p.y * p.y + 1.0f);
    }
}
