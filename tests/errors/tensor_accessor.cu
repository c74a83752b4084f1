__global__ void scale(const torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> x,
//                          ^^^^^ not-supported: not differentiated yet
                      float *y)
{
    y[threadIdx.x] = x[0][threadIdx.x];
}
