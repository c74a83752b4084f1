__device__ float weights[8];

extern "C" __global__ void weigh(const float *x, float *y)
{
    y[threadIdx.x] = weights[threadIdx.x % 8] * x[threadIdx.x];
//                   ^^^^^^^ file-variable: it isn't const
}
