// normalise_adj: adjoint of normalise (meetings_in_functions.cu:25).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform meetings_in_functions.cu --of y,total --wrt x
//
// Call with x as it was before normalise. Seed adj_y with dJ/dy: it is left alone,
// because normalise stores each element of y at most once. Seed adj_total with
// dJ/dtotal: it is left alone, because normalise stores each element of total at most
// once. dJ/dx is added to adj_x. y and total are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   mean, c, var   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       one thread per element
//   adj_part[..]   reduced per block   every thread reads the same part[k]
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define FULL 0xffffffffu
#define WARPS 2

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        value += thread + d < threads ? above : 0.0f;  // the last warp may be short
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

extern "C" __global__ void normalise_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y,
                                         float *total, const float *adj_total, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float part[WARPS];
    __shared__ float adj_part[WARPS];
    for (int q = threadIdx.x; q < WARPS; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    float v_2 = v;
    int warp = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2)
        v_2 += __shfl_xor_sync(FULL, v_2, d);
    if (threadIdx.x % 32 == 0)
        part[warp] = v_2;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < WARPS; ++k)
        sum += part[k];
    __syncthreads();
    float mean = sum / blockDim.x;
    float c = v - mean;
    float v_3 = c * c;
    int warp_2 = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2)
        v_3 += __shfl_xor_sync(FULL, v_3, d);
    if (threadIdx.x % 32 == 0)
        part[warp_2] = v_3;
    __syncthreads();
    float sum_2 = 0.0f;
    for (int k = 0; k < WARPS; ++k)
        sum_2 += part[k];
    float var = sum_2 / blockDim.x;

    // ---- reverse sweep ------------------------------------------------------

    float adj_mean = 0.0f;
    if (threadIdx.x == 0) {
        // 35:  total[blockIdx.x] = sqrtf(mean * mean + 1.0f)
        adj_mean += mean * adj_total[blockIdx.x] / sqrtf(mean * mean + 1.0f);
    }
    float adj_var = 0.0f;
    float adj_c = 0.0f;
    if (i < n) {
        // 33:  y[i] = c * rsqrtf(var + 1e-3f)
        float g = adj_y[i];
        adj_c += rsqrtf(var + 1e-3f) * g;
        float r = rsqrtf(var + 1e-3f);
        adj_var -= 0.5f * c * r * r * r * g;
    }

    // 31:  float var = block_sum(c * c) / blockDim.x
    float adj_sum_2 = adj_var / blockDim.x;
    for (int k = 0; k < WARPS; ++k) {
        // 21:  sum += part[k]
        block_add(&adj_part[k], adj_sum_2);
    }
    __syncthreads();
    float adj_v_3 = 0.0f;
    if (threadIdx.x % 32 == 0) {
        // 17:  part[warp] = v
        adj_v_3 += adj_part[warp_2];
        adj_part[warp_2] = 0.0f;
    }
    for (int d = 1; d <= 16; d *= 2) {
        // 8:  v += __shfl_xor_sync(FULL, v, d)
        adj_v_3 += __shfl_xor_sync(FULL, adj_v_3, d);
    }

    // 31:  block_sum(c * c)
    adj_c += 2.0f * c * adj_v_3;

    // 30:  float c = v - mean
    float adj_v = adj_c;
    adj_mean -= adj_c;

    // 29:  float mean = block_sum(v) / blockDim.x
    float adj_sum = adj_mean / blockDim.x;
    for (int k = 0; k < WARPS; ++k) {
        // 21:  sum += part[k]
        block_add(&adj_part[k], adj_sum);
    }
    __syncthreads();
    float adj_v_2 = 0.0f;
    if (threadIdx.x % 32 == 0) {
        // 17:  part[warp] = v
        adj_v_2 += adj_part[warp];
    }
    for (int d = 1; d <= 16; d *= 2) {
        // 8:  v += __shfl_xor_sync(FULL, v, d)
        adj_v_2 += __shfl_xor_sync(FULL, adj_v_2, d);
    }

    // 29:  block_sum(v)
    adj_v += adj_v_2;
    // 28:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
