extern "C" __global__ void name_uint_ushort(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float uint = x[i];
    int ushort = 3;
    uint = uint * uint;
    ushort += 1;
    y[i] = uint * ushort;
}
