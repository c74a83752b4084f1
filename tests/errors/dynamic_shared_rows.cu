// s2sad: --of y --wrt x
extern "C" __global__ void tile(const float *x, float *y)
{
    extern __shared__ float s[][16];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dynamic-shared: it has several dimensions
    s[threadIdx.y][threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[0][threadIdx.x];
}
