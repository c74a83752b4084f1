// logistic_adj: adjoint of logistic (logistic.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform logistic.cu --of y --wrt x,r
//
// Call with x as it was before logistic. Seed adj_y with dJ/dy: it is left alone,
// because logistic stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dr is added to adj_r. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s   ds_dr, ds_dx, carried forward   line 12 changes it in each iteration, and
//                                       inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_r       reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define STEPS 12

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

extern "C" __global__ void logistic_adj(const float *x, float *adj_x,
                                        float r, float *adj_r,
                                        float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_r_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float s = x[i];
        float ds_dr = 0.0f;
        float ds_dx = 1.0f;
        for (int k = 0; k < STEPS; ++k) {
            float slope = (1.0f - s) * r - r * s;
            ds_dr = slope * ds_dr + (1.0f - s) * s;
            ds_dx *= slope;
            s = r * s * (1.0f - s);
        }

        // ---- reverse sweep ------------------------------------------------------

        // 13:  y[i] = s
        float adj_s = adj_y[i];

        // 11:  for (int k = 0; k < STEPS; ++k)
        // its tangents, carried along, are what it owes
        adj_r_sum = ds_dr * adj_s;
        adj_s *= ds_dx;

        // 10:  float s = x[i]
        adj_x[i] += adj_s;
    }
    block_add(adj_r, adj_r_sum);
}
