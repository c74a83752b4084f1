#define SQUARE(v) ((v) * (v))

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = SQUARE(x[i], 2);
//         ^^^^^^ macro-call: used here
}
