// command: --of y --wrt x --recompute t --store s
extern "C" __global__ void sums(const float *x, float *y, int n)
//                         ^^^^ option-without-effect: the reverse sweep needs no value of s
//                         ^^^^ option-without-effect: the reverse sweep needs no value of t
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float t[32];
    t[threadIdx.x] = x[i];
    __syncthreads();
    float s = 0.0f;
    float u = t[threadIdx.x];
    for (int k = 0; k < n; ++k)
        s += u * u;
    y[i] = s;
}
