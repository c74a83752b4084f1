extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    extern __shared__ unsigned char memory[];
    float *values = (float *)memory;
    int *bits = (int *)memory;
//              ^^^^^^^^^^^^^ bit-reinterpretation: `(int *)memory` has no derivative
    values[threadIdx.x] = x[threadIdx.x];
    bits[threadIdx.x] += 1 << 23;
    y[threadIdx.x] = values[threadIdx.x];
}
