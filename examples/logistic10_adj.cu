// logistic10_adj: adjoint of logistic10 (logistic10.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform logistic10.cu --of last --wrt first,r
//
// Call with first as it was before logistic10. Seed adj_last with dJ/dlast: it is left
// alone, because logistic10 stores each element of last at most once. dJ/dfirst is
// added to adj_first; dJ/dr is added to adj_r. last is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x   dx_dr, dx_dfirst, carried forward   line 11 changes it in each iteration, and
//                                           inputs are few
//
// How adjoints are added up:
//   adj_first[..]   +=, one owner       one thread per element
//   adj_r           reduced per block   every thread has its share in it
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

extern "C" __global__ void logistic10_adj(const float *first, float *adj_first,
                                          float *last, const float *adj_last,
                                          float r, float *adj_r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_r_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float x = first[i];
        float dx_dr = 0.0f;
        float dx_dfirst = 1.0f;
        for (int step = 0; step < 10; step++) {
            float slope = (1.0f - x) * r - r * x;
            dx_dr = slope * dx_dr + (1.0f - x) * x;
            dx_dfirst *= slope;
            x = r * x * (1.0f - x);
        }

        // ---- reverse sweep ------------------------------------------------------

        // 12:  last[i] = x
        float adj_x = adj_last[i];

        // 10:  for (int step = 0; step < 10; step++)
        // its tangents, carried along, are what it owes
        adj_r_sum = dx_dr * adj_x;
        adj_x *= dx_dfirst;

        // 9:  float x = first[i]
        adj_first[i] += adj_x;
    }
    block_add(adj_r, adj_r_sum);
}
