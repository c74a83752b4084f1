// s2sad: --of y --wrt x --assume injective:to
extern "C" __global__ void scattered(const float *x, const int *to, float *y)
{
    extern __shared__ float s[];
    s[to[threadIdx.x]] = x[threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^ unknown-extent: nothing bounds the index `to[threadIdx.x]`
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}
