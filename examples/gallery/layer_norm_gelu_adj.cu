// layer_norm_gelu_adj: adjoint of layer_norm_gelu (layer_norm_gelu.cu:15).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform layer_norm_gelu.cu --of out --wrt in,gamma,beta
//
// Call with in, gamma and beta as they were before layer_norm_gelu. Seed adj_out with
// dJ/dout: it is left alone, because layer_norm_gelu stores each element of out at most
// once. dJ/din is added to adj_in; dJ/dgamma is added to adj_gamma; dJ/dbeta is added
// to adj_beta. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   mean, inv_std        reloaded   still in its variable
//   in[..], gamma[..],   reloaded   nothing stores to it
//   beta[..]
//
// How adjoints are added up:
//   adj_in[..]      +=, one owner   one thread per element, the one that stores y[c]
//   adj_gamma[..]   atomicAdd       threads that differ in blockIdx.x and threadIdx.y
//                                   only read the same gamma[c]
//   adj_beta[..]    atomicAdd       threads that differ in blockIdx.x and threadIdx.y
//                                   only read the same beta[c]
//
// Assumed: the launch is 2-D, no two threads store the same y[c], blockDim.x is a
// multiple of 32, arrays don't overlap, no index wraps.

constexpr int WARP = 32;
constexpr int ROWS_PER_BLOCK = 2;

static __device__ float gelu_adj(float x, float adj_gelu)
{
    const float sqrt_2_over_pi = (float)0.7978845608028654;

    // 11:  return T(0.5) * x * (T(1) + tanhf(sqrt_2_over_pi * (x + T(0.044715) * x * x * x)))
    float r = tanhf(sqrt_2_over_pi * (x + (float)0.044715 * x * x * x));
    float adj_x = ((float)1 + r) * (float)0.5 * adj_gelu;
    float g = (float)0.5 * x * (1.0f - r * r) * sqrt_2_over_pi * adj_gelu;
    adj_x += g + 3.0f * (float)0.044715 * x * x * g;
    return adj_x;
}

extern "C" __global__ void layer_norm_gelu_adj(const float *__restrict__ in,
                                               float *__restrict__ adj_in,
                                               const float *__restrict__ gamma,
                                               float *__restrict__ adj_gamma,
                                               const float *__restrict__ beta,
                                               float *__restrict__ adj_beta,
                                               float *__restrict__ out,
                                               const float *__restrict__ adj_out, int rows,
                                               int cols, float eps)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_in[0] = nanf("");
        adj_gamma[0] = nanf("");
        adj_beta[0] = nanf("");
        return;
    }
    const int lane = threadIdx.x;  // blockDim = (32, ROWS_PER_BLOCK)
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
    if (row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    float sum = 0.0f;
    for (int c = lane; c < cols; c += WARP)
        sum += in[row * cols + c];
    float v = sum;
    #pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    const float mean = v / cols;

    float squares = 0.0f;
    for (int c = lane; c < cols; c += WARP)
        squares += (in[row * cols + c] - mean) * (in[row * cols + c] - mean);
    float v_2 = squares;
    #pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        v_2 += __shfl_xor_sync(0xffffffffu, v_2, offset);
    const float inv_std = rsqrtf(v_2 / cols + eps);

    // ---- reverse sweep ------------------------------------------------------

    float adj_inv_std = 0.0f;
    float adj_mean = 0.0f;
    for (int c = lane; c < cols; c += WARP) {
        // 37:  y[c] = gelu((x[c] - mean) * inv_std * gamma[c] + beta[c])
        float g = gelu_adj((in[row * cols + c] - mean) * inv_std * gamma[c] + beta[c],
                           adj_out[row * cols + c]);
        float g_2 = gamma[c] * g;
        float g_3 = inv_std * g_2;
        adj_in[row * cols + c] += g_3;
        adj_mean -= g_3;
        adj_inv_std += (in[row * cols + c] - mean) * g_2;
        atomicAdd(&adj_gamma[c], (in[row * cols + c] - mean) * inv_std * g);
        atomicAdd(&adj_beta[c], g);
    }

    // 34:  const float inv_std = rsqrtf(warp_sum(squares) / cols + eps)
    float adj_v_2 = -0.5f * inv_std * inv_std * inv_std * adj_inv_std / cols;
    #pragma unroll
    for (int offset = 1; offset <= WARP / 2; offset *= 2) {
        // reduce.cuh:11:  v += __shfl_xor_sync(0xffffffffu, v, offset)
        adj_v_2 += __shfl_xor_sync(0xffffffffu, adj_v_2, offset);
    }

    // 34:  warp_sum(squares)
    for (int c = lane; c < cols; c += WARP) {
        // 33:  squares += (x[c] - mean) * (x[c] - mean)
        float g = 2.0f * (in[row * cols + c] - mean) * adj_v_2;
        adj_in[row * cols + c] += g;
        adj_mean -= g;
    }

    // 29:  const float mean = warp_sum(sum) / cols
    float adj_v = adj_mean / cols;
    #pragma unroll
    for (int offset = 1; offset <= WARP / 2; offset *= 2) {
        // reduce.cuh:11:  v += __shfl_xor_sync(0xffffffffu, v, offset)
        adj_v += __shfl_xor_sync(0xffffffffu, adj_v, offset);
    }

    // 29:  warp_sum(sum)
    for (int c = lane; c < cols; c += WARP) {
        // 28:  sum += x[c]
        adj_in[row * cols + c] += adj_v;
    }
}
