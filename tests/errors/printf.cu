extern "C" __global__ void chatty(const float *x, float *y)
{
    int i = threadIdx.x;
    printf("%d\n", i++);
//  ^^^^^^^^^^^^^^^^^^^ host-function: it performs I/O, uses the heap or stops the kernel
    y[i] = printf("%f\n", x[i]);
//         ^^^^^^^^^^^^^^^^^^^^ host-function: it performs I/O, uses the heap or stops the kernel
}
