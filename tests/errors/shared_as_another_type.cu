// s2sad: --of y --wrt x
extern "C" __global__ void carved(const float *x, float *y, int n)
{
    extern __shared__ float array[];
    int *a0 = (int *)array;
//            ^^^^^^^^^^^^ shared-as-another-type: not supported in this form
    float *a1 = (float *)array + n;
    int i = threadIdx.x;
    a0[i] = i;
    a1[i] = x[i];
    __syncthreads();
    y[i] = a1[a0[(i + 1) % n]] * a1[i];
}
