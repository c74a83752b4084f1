// warps_store_alike_adj: adjoint of warps_store_alike (warps_store_alike.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warps_store_alike.cu --of y --wrt x
//
// Call with x as it was before warps_store_alike. Seed adj_y with dJ/dy: it is left
// alone, because warps_store_alike stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v           reloaded   still in its variable
//   means[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   one thread per element
//   adj_means[..]   atomicAdd       whoever stores an element may not be its only
//                                   thread
//   adj_means[..]   exchanged       no proof that only one thread stores an element;
//                                   one takes its adjoint
//
// Assumed: the launch is 1-D, no two threads store different values in one means[warp],
// blockDim.x is a multiple of 32, arrays don't overlap, no index wraps.

__global__ void warps_store_alike_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float means[4];
    __shared__ float adj_means[4];
    for (int q = threadIdx.x; q < 4; q += blockDim.x)
        adj_means[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    float v = i < n ? x[i] : 0.0f;
    float sum = v * v;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    means[warp] = sum / 32.0f;
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    float adj_v = 0.0f;
    if (i < n) {
        // 16:  y[i] = v * means[(warp + 1) % warps]
        float g = adj_y[i];
        adj_v = means[(warp + 1) % warps] * g;
        atomicAdd(&adj_means[(warp + 1) % warps], v * g);
    }
    __syncthreads();

    // 13:  means[warp] = sum / 32.0f
    float g = atomicExch(&adj_means[warp], 0.0f);
    float adj_sum = g / 32.0f;
    for (int d = 1; d <= 16; d *= 2) {
        // 12:  sum += __shfl_xor_sync(0xffffffffu, sum, d)
        adj_sum += __shfl_xor_sync(0xffffffffu, adj_sum, d);
    }

    // 10:  float sum = v * v
    adj_v += 2.0f * v * adj_sum;
    // 9:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
