extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    extern __shared__ char memory[];
    float *first = (float *)memory;
    float *second = (float *)(memory + n);
//                  ^^^^^^^^^^^^^^^^^^^^^ dynamic-shared: `(float *)(memory + n)` is not written as a multiple of the element size
    memory[0] = 1;
//  ^^^^^^ dynamic-shared: its raw bytes are also used
    first[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = first[threadIdx.x] + second[0];
}
