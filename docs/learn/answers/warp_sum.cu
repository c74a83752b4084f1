// Exercise warp_sum: a sum over a warp by shuffles; lane 0 has the result.
// The rounds run backwards, and each shuffle the other way: __shfl_down_sync becomes __shfl_up_sync, and lanes
// below d, which nobody has read in that round, get nothing.
// When you are done: s2sad lesson check warp_sum.cu

extern "C" __global__ void warp_sum(const float *x, float *y)
{
    int lane = threadIdx.x;
    float v = x[blockIdx.x * 32 + lane];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0)
        y[blockIdx.x] = v * v;
}

extern "C" __global__ void warp_sum_adj(const float *x, float *adj_x, float *y, const float *adj_y)
{
    int lane = threadIdx.x;
    float v = x[blockIdx.x * 32 + lane];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);

    // GAP 1: the adjoint of lines 12 and 13: declare adj_v, on every lane
    float adj_v = lane == 0 ? 2.0f * v * adj_y[blockIdx.x] : 0.0f;
    // END
    // GAP 2: the loop of lines 10 and 11, backwards
    for (int d = 1; d <= 16; d *= 2) {
        float from = __shfl_up_sync(0xffffffffu, adj_v, d);
        if (lane >= d)
            adj_v += from;
    }
    // END
    adj_x[blockIdx.x * 32 + lane] += adj_v;
}
