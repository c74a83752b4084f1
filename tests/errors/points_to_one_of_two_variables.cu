// s2sad: --of y --wrt x
extern "C" __global__ void either(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float a = x[i], b = x[i + 1];
    float *p = i > n ? &a : &b;
//             ^^^^^^^^^^^^^^^ points-to-two: a pointer must point into one array
    *p *= 2.0f;
    y[i] = a * b;
}
