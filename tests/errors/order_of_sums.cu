// s2sad: --of y --wrt x,w,a --accumulate deterministic
extern "C" __global__ void smooth(const float *x, const float *w, float a, float *y, int n)
//                                                                ^^^^^^^ order-of-sums: several blocks add to one element
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = a * x[i - 1] + w[0];
//                            ^^^^ order-of-sums: several blocks add to one element
}
