// float_counter_adj: adjoint of float_counter (float_counter.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform float_counter.cu --of y --wrt x,rate
//
// Call with x as it was before float_counter. Seed adj_y with dJ/dy: it is left alone,
// because float_counter stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/drate is added to adj_rate. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v   dv_drate, dv_dx, carried forward   line 10 changes it in each iteration, and
//                                          inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_rate    reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void float_counter_adj(const float *x, float *adj_x,
                                             float rate, float *adj_rate,
                                             float *y, const float *adj_y, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_rate_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float v = x[i];
        float dv_drate = 0.0f;
        float dv_dx = 1.0f;
        for (float t = 0.0f; t < 1.0f; t += dt) {
            float slope = 1.0f + cosf(t) * (1.0f - v) * (dt * rate) - cosf(t) * (dt * rate * v);
            dv_drate = slope * dv_drate + cosf(t) * (1.0f - v) * v * dt;
            dv_dx *= slope;
            v += dt * rate * v * (1.0f - v) * cosf(t);
        }

        // ---- reverse sweep ------------------------------------------------------

        // 11:  y[i] = v
        float adj_v = adj_y[i];

        // 9:  for (float t = 0.0f; t < 1.0f; t += dt)
        // its tangents, carried along, are what it owes
        adj_rate_sum = dv_drate * adj_v;
        adj_v *= dv_dx;

        // 8:  float v = x[i]
        adj_x[i] += adj_v;
    }
    block_add(adj_rate, adj_rate_sum);
}
