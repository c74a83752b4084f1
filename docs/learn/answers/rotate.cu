// Exercise rotate: a lane reads the value of the next lane.
// Where lane 3 reads from lane 4, lane 4's adjoint gets what arrives at lane 3: the data goes the other way.
// When you are done: s2sad lesson check rotate.cu

extern "C" __global__ void rotate(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = x[i];
    float next = __shfl_sync(0xffffffffu, v, (lane + 1) % 32);
    y[i] = v * next;
}

extern "C" __global__ void rotate_adj(const float *x, float *adj_x, float *y, const float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = x[i];
    float next = __shfl_sync(0xffffffffu, v, (lane + 1) % 32);
    // GAP 1: the adjoint of line 11, y[i] = v * next: declare adj_v and adj_next
    float adj_v = next * adj_y[i];
    float adj_next = v * adj_y[i];
    // END
    // GAP 2: the adjoint of line 10: adj_v gets the adj_next of the lane that read it
    adj_v += __shfl_sync(0xffffffffu, adj_next, (lane + 31) % 32);
    // END
    adj_x[i] += adj_v;
}
