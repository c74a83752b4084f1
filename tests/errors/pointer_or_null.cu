__global__ void perhaps(const float *x, const int *first, float *y, int c)
{
    int i = threadIdx.x;
    const float *p = c > 0 ? x + first[c] : nullptr;
//                                          ^^^^^^^ pointer-arithmetic: a pointer must be an array and an offset, written as such
    y[i] = p != nullptr ? p[i] : 0.0f;
//              ^^^^^^^ pointer-value: only pointers into the same array can be compared
    const float *q = c > 0 ? x + c : nullptr;
    q = q + 1;
//  ^ not-supported: not differentiated yet
    y[i] += q != nullptr ? q[i] : 0.0f;
}
