// s2sad: --of out --wrt x
extern "C" __global__ void scatter(const float *x, const int *idx, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[idx[i]] = 2.0f * x[i];
//      ^^^^^^^^^^^ shared-writer: two threads may write the same element
}
