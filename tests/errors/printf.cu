extern "C" __global__ void chatty(const float *x, float *y)
{
    printf("%f\n", x[threadIdx.x]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ host-function: it talks to the outside or to the heap
    y[threadIdx.x] = x[threadIdx.x];
}
