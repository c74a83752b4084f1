// s2sad: --of y --wrt x
extern "C" __global__ void difference(const float *x, float *y)
{
    float v = x[threadIdx.x];
    y[threadIdx.x] = v - __shfl_up_sync(0x0000ffff, v, 1);
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ partial-mask: it has 16 lanes (0x0000ffff), but segments are 32 lanes wide
}
