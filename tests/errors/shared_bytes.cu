extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    extern __shared__ unsigned char memory[];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dynamic-shared: it is used as float and as int
    float *values = (float *)memory;
    int *order = (int *)(memory + n * sizeof(float));
    values[threadIdx.x] = x[threadIdx.x];
    order[threadIdx.x] = threadIdx.x;
    y[threadIdx.x] = values[order[threadIdx.x]];
}
