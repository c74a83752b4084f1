// relaxed_until_even_adj: adjoint of relaxed_until_even (relaxed_until_even.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform relaxed_until_even.cu --of y --wrt x
//
// Call with x as it was before relaxed_until_even. Seed adj_y with dJ/dy: it is left
// alone, because relaxed_until_even stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 14       trips, a register                the loop decides in its
//                                                           iterations when it ends
//   mean                   recomputed                       from values at hand, in the
//                                                           reversed iteration
//   s[t > 0 ? t - 1 : 0]   tape_before[ROUNDS], registers   line 19 overwrites it
//   s[t]                   tape_s[ROUNDS], registers        line 19 overwrites it
//   any                    tape_any[ROUNDS], registers      no address or count is
//                                                           rounded twice
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   atomicAdd       not proved that two threads never meet in s[t > 0 ? t -
//                               1 : 0]
//   adj_s[..]   atomicAdd       not proved that two threads never meet in s[t > 0 ? t -
//                               1 : 0] and s[t]
//   adj_s[..]   +=, by phase    between two barriers one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define ROUNDS 5

extern "C" __global__ void relaxed_until_even_adj(const float *x, float *adj_x,
                                                  float *y, const float *adj_y, float large, int n)
{
    __shared__ float s[32];
    __shared__ float adj_s[32];
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_s[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * 32 + t;
    bool here = i < n;
    if (here)
        s[t] = x[i];
    __syncthreads();
    float tape_s[ROUNDS];
    float tape_before[ROUNDS];
    int tape_any[ROUNDS];
    int trips = 0;
    for (int k = 0; k < ROUNDS; ++k) {
        ++trips;
        float before;
        float mean;
        if (here) {
            before = s[t > 0 ? t - 1 : 0];
            tape_before[k] = before;
            tape_s[k] = s[t];
            mean = 0.5f * (before + s[t]);
        }
        int any = __syncthreads_or(here && fabsf(before - mean) > large);
        tape_any[k] = any;
        __syncthreads();
        if (!any)
            break;
        if (here)
            s[t] = mean * mean;
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    if (here) {
        // 22:  y[i] = s[t]
        adj_s[t] += adj_y[i];
    }
    for (int k = trips - 1; k >= 0; --k) {
        int any = tape_any[k];
        float before;
        float mean;
        if (here) {
            before = tape_before[k];
            mean = 0.5f * (before + tape_s[k]);
        }
        float adj_mean = 0.0f;
        if (any) {
            __syncthreads();
            if (here) {
                // 19:  s[t] = mean * mean
                adj_mean = 2.0f * mean * adj_s[t];
                adj_s[t] = 0.0f;
            }
        }
        __syncthreads();
        float adj_before;
        if (here) {
            // 16:  float mean = 0.5f * (before + s[t])
            float g = 0.5f * adj_mean;
            adj_before = g;
            atomicAdd(&adj_s[t], g);

            // 15:  float before = s[t > 0 ? t - 1 : 0]
            atomicAdd(&adj_s[t > 0 ? t - 1 : 0], adj_before);
        }
    }
    __syncthreads();
    if (here) {
        // 12:  s[t] = x[i]
        adj_x[i] += adj_s[t];
    }
}
