// switch_planes_adj: adjoint of switch_planes (switch_planes.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform switch_planes.cu --of y --wrt x,w
//
// Call with x and w as they were before switch_planes. Seed adj_y with dJ/dy: it is
// left alone, because switch_planes stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 12), v (line 18)   reloaded   still in its variable
//   w[..]                      reloaded   nothing stores to it
//   s[..]                      reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_w[..]   reduced per block   every thread reads w[0] and w[1]
//   adj_s[..]   +=, by phase        between two barriers one thread per element
//   adj_s[..]   atomicAdd           places meet, and no barrier can stand between them
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void switch_planes_adj(const float *x, float *adj_x,
                                             const float *w, float *adj_w,
                                             float *y, const float *adj_y, int n)
{
    __shared__ float s[3][16];
    __shared__ float adj_s[3][16];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < 3 * 16; q += blockDim.x * blockDim.y)
        adj_s[q / 16][q % 16] = 0.0f;
    int i = threadIdx.x;
    int row = threadIdx.y;
    int tile = blockIdx.x;
    s[row][i] = x[(tile * 3 + row) * 16 + i];
    __syncthreads();
    float adj_v = 0.0f;
    float adj_w_0 = 0.0f;
    float adj_w_1 = 0.0f;
    switch (row) {
    case 0:
        // 13:  y[((tile << 1) + 1) * 16 + i] = v * v
        adj_v += 2.0f * (s[0][i] + s[1][i] * w[0]) * adj_y[((tile << 1) + 1) * 16 + i];

        // 12:  v = s[0][i] + s[1][i] * w[0]
        adj_s[0][i] += adj_v;
        atomicAdd(&adj_s[1][i], w[0] * adj_v);
        adj_w_0 = s[1][i] * adj_v;
        break;
    case 1:
        if (tile != 1) {
            float v = s[1][i] - s[2][i] * w[1];
            // 19:  y[(tile << 1) * 16 + i] = v * v * v
            adj_v += 3.0f * v * v * adj_y[(tile << 1) * 16 + i];

            // 18:  v = s[1][i] - s[2][i] * w[1]
            atomicAdd(&adj_s[1][i], adj_v);
            adj_s[2][i] -= w[1] * adj_v;
            adj_w_1 = -(s[2][i] * adj_v);
        }
        break;
    }
    block_add(&adj_w[0], adj_w_0);
    block_add(&adj_w[1], adj_w_1);

    // 7:  s[row][i] = x[(tile * 3 + row) * 16 + i]
    adj_x[(tile * 3 + row) * 16 + i] += adj_s[row][i];
}
