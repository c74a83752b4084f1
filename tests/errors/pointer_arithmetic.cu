extern "C" __global__ void shift(const float *x, float *y, int n)
{
    x += n;
//  ^ pointer-arithmetic: pointers are only indexed, for now
    y[threadIdx.x] = x[threadIdx.x];
}
