extern "C" __global__ void sum(const float *x, float *y)
{
    float s = x[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warp-function: warp functions are not differentiated yet
    y[threadIdx.x] = s;
}
