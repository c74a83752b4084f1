// group_softmax_adj: adjoint of group_softmax (group_softmax.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform group_softmax.cu --of y --wrt x --assume launch:1d
//
// Call with x as it was before group_softmax. Seed adj_y with dJ/dy: it is left alone,
// because group_softmax stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   by_max (line 10)   tape_by_max[4], registers   line 10 changes it in each iteration
//   d                  inverted                    each iteration divides it by 2
//   trips of line 10   trips, a register           the loop decides in its iterations
//                                                  when it ends
//   by_max (line 10)   recomputed                  from values at hand, in the reversed
//                                                  iteration
//   v, total           reloaded                    still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: n >= 0, the launch is 1-D, blockDim.x is a multiple of 32, arrays don't
// overlap, no index wraps, launch:1d.

__global__ void group_softmax_adj(const float *x, float *adj_x,
                                  float *y, const float *adj_y, int rows, int n)
{
    // For a 1-D launch, as it was declared; rows of whole warps, as the primal exchanges values
    // among them; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1 || blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }

    // ---- forward sweep ------------------------------------------------------

    int row = blockIdx.x * ((blockDim.x + 15) / 16) + threadIdx.x / 16;
    bool inside = row < rows && threadIdx.x % 16 < n;
    float v = inside ? x[row * n + threadIdx.x % 16] : -1e30f;
    float by = v;
    float by_max = by;
    int trips = 0;
    float tape_by_max[4];
    for (int d = 8; d > 0; d /= 2) {
        tape_by_max[trips] = by_max;
        by_max = fmaxf(by_max, __shfl_xor_sync(0xffffffffu, by_max, d, 16));
        ++trips;
    }
    v = expf(v - by_max);
    float v_sum = v;
    for (int d = 8; d > 0; d /= 2)
        v_sum += __shfl_xor_sync(0xffffffffu, v_sum, d, 16);
    float total = v_sum;

    // ---- reverse sweep ------------------------------------------------------

    float adj_total = 0.0f;
    float adj_v = 0.0f;
    if (inside) {
        // 24:  y[row * n + tile.thread_rank()] = v / total
        float g = adj_y[row * n + threadIdx.x % 16] / total;
        adj_v = g;
        adj_total = -(v / total * g);
    }

    // 21:  float total = cg::reduce(tile, v, cg::plus<float>{})
    float adj_v_sum = adj_total;
    for (int d = 1; d <= 8; d *= 2) {
        // 21:  cg::reduce(tile, v, cg::plus<float>{})
        adj_v_sum += __shfl_xor_sync(0xffffffffu, adj_v_sum, d, 16);
    }

    // 21:  cg::reduce(tile, v, cg::plus<float>{})
    adj_v += adj_v_sum;

    // 10:  v = expf(v - cg::reduce(tile, by, cg::greater<float>()))
    float g = v * adj_v;
    float adj_by_max = -g;
    adj_v = g;
    for (int trip = trips - 1; trip >= 0; --trip) {
        float by_max = tape_by_max[trip];
        int d = 8 >> trip;
        float by_max_across = __shfl_xor_sync(0xffffffffu, by_max, d, 16);
        float adj_by_max_across = 0.0f;

        // 10:  cg::reduce(tile, by, cg::greater<float>())
        float g = adj_by_max;
        adj_by_max = 0.0f;
        if (fmaxf(by_max, by_max_across) == by_max)
            adj_by_max += g;
        else
            adj_by_max_across = g;
        adj_by_max += __shfl_xor_sync(0xffffffffu, adj_by_max_across, d, 16);
    }

    // 20:  shift(tile, v, v)
    adj_v += adj_by_max;
    // 19:  float v = inside ? x[row * n + tile.thread_rank()] : -1e30f
    if (inside)
        adj_x[row * n + threadIdx.x % 16] += adj_v;
}
