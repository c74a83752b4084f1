// s2sad: --of y --wrt x
extern "C" __global__ void difference(const float *x, float *y, unsigned lanes)
{
    float v = x[threadIdx.x];
    y[threadIdx.x] = v - __shfl_up_sync(lanes, v, 1);
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-mask: the participating lanes are determined at run time
}
