// warp_layer_norm_adj: adjoint of warp_layer_norm (warp_layer_norm.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_layer_norm.cu --of y --wrt x,gamma,beta
//
// Call with x and gamma as they were before warp_layer_norm. Seed adj_y with dJ/dy: it
// is left alone, because warp_layer_norm stores each element of y at most once. dJ/dx
// is added to adj_x; dJ/dgamma is added to adj_gamma; dJ/dbeta is added to adj_beta.
// beta and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   mean, rstd         reloaded     still in its variable
//   c                  recomputed   from values at hand, in the reversed iteration
//   gamma[..], x[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   each thread has elements of its own
//   adj_gamma[..]   atomicAdd       not proved that two threads never meet in gamma[k]
//   adj_beta[..]    atomicAdd       not proved that two threads never meet in beta[k]
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define FULL 0xffffffffu

extern "C" __global__ void warp_layer_norm_adj(const float *x, float *adj_x,
                                               const float *gamma, float *adj_gamma,
                                               const float *beta, float *adj_beta,
                                               float *y, const float *adj_y, int rows, int cols)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        adj_gamma[0] = nanf("");
        adj_beta[0] = nanf("");
        return;
    }
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + warp;
    if (row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    float sum = 0.0f;
    for (int k = lane; k < cols; k += 32)
        sum += x[row * cols + k];
    for (int o = 16; o > 0; o >>= 1)
        sum += __shfl_xor_sync(FULL, sum, o);
    float mean = sum / cols;
    float var = 0.0f;
    for (int k = lane; k < cols; k += 32) {
        float c = x[row * cols + k] - mean;
        var += c * c;
    }
    for (int o = 16; o > 0; o >>= 1)
        var += __shfl_xor_sync(FULL, var, o);
    float rstd = rsqrtf(var / cols + 1e-5f);

    // ---- reverse sweep ------------------------------------------------------

    float adj_rstd = 0.0f;
    float adj_mean = 0.0f;
    for (int k = lane; k < cols; k += 32) {
        // 27:  y[row * cols + k] = (x[row * cols + k] - mean) * rstd * gamma[k] + beta[k]
        float g = adj_y[row * cols + k];
        float g_2 = gamma[k] * g;
        float g_3 = rstd * g_2;
        adj_x[row * cols + k] += g_3;
        adj_mean -= g_3;
        adj_rstd += (x[row * cols + k] - mean) * g_2;
        atomicAdd(&adj_gamma[k], (x[row * cols + k] - mean) * rstd * g);
        atomicAdd(&adj_beta[k], g);
    }

    // 25:  float rstd = rsqrtf(var / cols + 1e-5f)
    float adj_var = -0.5f * rstd * rstd * rstd * adj_rstd / cols;
    for (int o = 1; o <= 16; o *= 2) {
        // 24:  var += __shfl_xor_sync(FULL, var, o)
        adj_var += __shfl_xor_sync(FULL, adj_var, o);
    }
    for (int k = lane; k < cols; k += 32) {
        float c = x[row * cols + k] - mean;
        // 21:  var += c * c
        float adj_c = 2.0f * c * adj_var;

        // 20:  float c = x[row * cols + k] - mean
        adj_x[row * cols + k] += adj_c;
        adj_mean -= adj_c;
    }

    // 17:  float mean = sum / cols
    float adj_sum = adj_mean / cols;
    for (int o = 1; o <= 16; o *= 2) {
        // 16:  sum += __shfl_xor_sync(FULL, sum, o)
        adj_sum += __shfl_xor_sync(FULL, adj_sum, o);
    }
    for (int k = lane; k < cols; k += 32) {
        // 14:  sum += x[row * cols + k]
        adj_x[row * cols + k] += adj_sum;
    }
}
