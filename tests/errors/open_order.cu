extern "C" __global__ void race(const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = x[i++] + x[i++];
//         ^^^^^^^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
}
