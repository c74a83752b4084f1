extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (x == y)
//      ^ pointer-value: pointers are only indexed, for now
//           ^ pointer-value: pointers are only indexed, for now
        return;
    y[i] = x[i];
}
