extern "C" __global__ void count(const float *x, float *y)
{
    static int calls = 0;
//  ^^^^^^^^^^^^^^^^^^^^ static-local: all threads share it
    calls += 1;
    y[threadIdx.x] = x[threadIdx.x] * calls;
}
