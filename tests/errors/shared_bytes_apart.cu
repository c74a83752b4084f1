extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    extern __shared__ char memory[];
    float *first = (float *)memory;
    float *second = (float *)(memory + n);
//                  ^^^^^^^^^^^^^^^^^^^^^ dynamic-shared: `(float *)(memory + n)` isn't a whole number of elements further on by its form
    memory[0] = 1;
//  ^^^^^^ dynamic-shared: its bytes are used as they are, too
    first[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = first[threadIdx.x] + second[0];
}
