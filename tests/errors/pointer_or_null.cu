__global__ void perhaps(const float *x, float *y, int c)
{
    int i = threadIdx.x;
    const float *p = c > 0 ? x : nullptr;
//                               ^^^^^^^ pointer-arithmetic: a pointer is an array and an offset into it, written as such
    y[i] = p != nullptr ? p[i] : 0.0f;
//              ^^^^^^^ pointer-value: only two pointers into one array are compared
}
