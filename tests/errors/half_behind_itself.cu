extern "C" __global__ void products(const __half *x, __half *y, int n)
{
    extern __shared__ __half part[];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dynamic-shared: its adjoint is of floats, which can't lie behind it
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    if (t < n - 1)
        y[t] = part[t] * part[t + 1];
}
