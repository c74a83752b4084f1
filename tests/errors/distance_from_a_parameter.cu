// s2sad: --of y --wrt x
extern "C" __global__ void difference(const float *x, float *y, int d)
{
    float v = x[threadIdx.x];
    y[threadIdx.x] = v - __shfl_xor_sync(0xffffffffu, v, d, 16);
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-distance: the distance is unknown
}
