extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float s = x[i];
    y[i] = sinf(*(&s + n));
//                ^^^^^^ pointer-beyond: `s` is one value, not an array
}
