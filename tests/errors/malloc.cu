extern "C" __global__ void heap(const float *x, float *y, int n)
{
    float *t = (float *)malloc(n * sizeof(float));
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^ host-function: it performs I/O, uses the heap or stops the kernel
    for (int i = 0; i < n; ++i)
        t[i] = x[i] * x[i];
    y[threadIdx.x] = t[threadIdx.x];
    free(t);
//  ^^^^^^^ host-function: it performs I/O, uses the heap or stops the kernel
}
