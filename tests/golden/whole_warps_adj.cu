// whole_warps_adj: adjoint of whole_warps (whole_warps.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform whole_warps.cu --of y,total --wrt x
//
// Call with x as it was before whole_warps. Seed adj_y with dJ/dy: it is left alone,
// because whole_warps stores each element of y at most once. Seed adj_total with
// dJ/dtotal: it is left alone, because whole_warps only adds to total. dJ/dx is added
// to adj_x. y and total are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, sum      reloaded     still in its variable
//   part_down   recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   threads that differ in blockIdx.z, threadIdx.y and
//                           threadIdx.z only read the same x[row * n + i]
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: no two threads store the same y[row * n + i], blockDim.x is a multiple of
// 32, n is a multiple of 32, arrays don't overlap, no index wraps.

__global__ void whole_warps_adj(const float *x, float *adj_x,
                                float *y, const float *adj_y,
                                float *total, const float *adj_total, int n, int rows)
{
    // For rows of whole warps, as the primal exchanges values among them; n a multiple of 32, as
    // threads that part don't meet; any other gets NaN.
    if (blockDim.x % 32 != 0 || n % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int lane = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
    int i = blockIdx.x * 64 + threadIdx.x;
    int row = blockIdx.y;
    if (i >= n || row >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    float v = x[row * n + i];
    float sum = v * v;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);

    // ---- reverse sweep ------------------------------------------------------

    float adj_v = 0.0f;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        float part = x[row * n + k];
        float part_down = __shfl_down_sync(0xffffffffu, part, 1);
        float adj_part = 0.0f;
        if (i == threadIdx.x) {
            // 18:  atomicAdd(&total[row], part)
            adj_part = adj_total[row];
        }

        // 16:  part = __shfl_down_sync(0xffffffffu, part, 1) * v
        float adj_part_down = v * adj_part;
        adj_v += part_down * adj_part;
        float from_below = __shfl_up_sync(0xffffffffu, adj_part_down, 1);
        adj_part = (lane >= 1 ? from_below : 0.0f) + (lane + 1 >= 32 ? adj_part_down : 0.0f);

        // 15:  float part = x[row * n + k]
        atomicAdd(&adj_x[row * n + k], adj_part);
    }
    float adj_sum = 0.0f;

    // 13:  y[row * n + i] = v / sqrtf(sum)
    float g = adj_y[row * n + i] * rsqrtf(sum);
    adj_v += g;
    float g_2 = -(v * rsqrtf(sum) * g);
    if (g_2 != 0.0f)
        adj_sum = 0.5f * g_2 * rsqrtf(sum);
    for (int d = 1; d <= 16; d *= 2) {
        // 12:  sum += __shfl_xor_sync(0xffffffffu, sum, d)
        adj_sum += __shfl_xor_sync(0xffffffffu, adj_sum, d);
    }

    // 10:  float sum = v * v
    adj_v += 2.0f * v * adj_sum;
    // 9:  float v = x[row * n + i]
    atomicAdd(&adj_x[row * n + i], adj_v);
}
