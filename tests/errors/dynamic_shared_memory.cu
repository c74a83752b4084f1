// s2sad: --of y --wrt x
extern "C" __global__ void tile(const float *x, float *y)
{
    extern __shared__ float s[];
    extern __shared__ float more[];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dynamic-shared: it is the same memory as `s`
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[threadIdx.x];
}
