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
//   adj_x[..]   +=, one owner   one thread per element
//   adj_sum     sum per block   each thread's value is in the block's sum once
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// The sum of what the block's 64 threads bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

extern "C" __global__ void normalise_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y,
                                         float *total, const float *adj_total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    float sum = block_sum(v);
    float mean = sum / blockDim.x;
    float c = v - mean;
    float sum_2 = block_sum(c * c);
    float var = sum_2 / blockDim.x;
    float adj_mean = 0.0f;
    if (threadIdx.x == 0) {
        // 35:  total[blockIdx.x] = sqrtf(mean * mean + 1.0f)
        adj_mean = mean * adj_total[blockIdx.x] * rsqrtf(mean * mean + 1.0f);
    }
    float adj_var = 0.0f;
    float adj_c = 0.0f;
    if (i < n) {
        // 33:  y[i] = c * rsqrtf(var + 1e-3f)
        float g = adj_y[i];
        float r = rsqrtf(var + 1e-3f);
        adj_c = r * g;
        adj_var = -(0.5f * c * r * r * r * g);
    }

    // 31:  block_sum(c * c)
    adj_c += 2.0f * c * block_sum(adj_var / blockDim.x);

    // 30:  float c = v - mean
    float adj_v = adj_c;
    adj_mean -= adj_c;

    // 29:  block_sum(v)
    adj_v += block_sum(adj_mean / blockDim.x);
    // 28:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
