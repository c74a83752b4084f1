extern "C" __global__ void chatty(const float *x, float *y)
{
    int i = threadIdx.x;
    printf("%d\n", i++);
//  ^^^^^^^^^^^^^^^^^^^ host-function: it talks to the outside or to the heap
    y[i] = printf("%f\n", x[i]);
//         ^^^^^^^^^^^^^^^^^^^^ host-function: it talks to the outside or to the heap
}
