extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float s = x[i];
    y[i] = s(2.0f);
//         ^^^^^^^ function-pointer: the called function isn't known here
}
