// command: --of y --wrt x --assume "range:columns<=ld"
extern "C" __global__ void rows(const float *x, float *y, int cols, int ld)
//                         ^^^^ range-unclear: --assume range:columns<=ld: a side isn't integer arithmetic over the kernel's scalar parameters
{
    int r = threadIdx.x;
    float s = 0.0f;
    for (int c = 0; c < cols; ++c)
        s += x[r * ld + c];
    y[r] = s;
}
