extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    float v = x[threadIdx.x];
    int bits = *(int *)&v;
    bits = 0x5f3759df - (bits >> 1);
    int whole = (int)(v * n);
    y[threadIdx.x] = *(float *)&bits + *(const float *)&whole;
//                   ^^^^^^^^^^^^^^^ bit-reinterpretation: `*(float *)&bits` has no derivative
//                                     ^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `*(const float *)&whole` has no derivative
}
