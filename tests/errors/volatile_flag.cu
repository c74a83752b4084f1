__global__ void wait_for(volatile int *__restrict__ ready, const float *x, float *y)
//                                ^^^^^^^^^^^^^^^^^^^^^^^ volatile: its value may change at any time
{
    while (ready[0] == 0) {
    }
    y[threadIdx.x] = x[threadIdx.x] * x[0];
}
