__global__ void scale(const float *x, float *y)
{
    volatile __shared__ float v[32];
//                      ^^^^^^^ volatile: its value may change at any time
    v[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = v[threadIdx.x ^ 1];
}
