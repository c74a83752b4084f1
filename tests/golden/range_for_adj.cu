// range_for_adj: adjoint of range_for (range_for.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform range_for.cu --of y --wrt x
//
// Call with x as it was before range_for. Seed adj_y with dJ/dy: it is left alone,
// because range_for stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   tap (line 19)          tape_f_taps[3], registers   line 19 overwrites it
//   tap (line 20), v       recomputed                  from values at hand, in the
//                                                      reversed iteration
//   trips of line 26       trips, a register           the loop decides in its
//                                                      iterations when it ends
//   f.taps[..], tile[..]   reloaded                    no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_tile[..]   atomicAdd       every thread reads the same t
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#define TAPS 3

struct Filter {
    float taps[TAPS];
    float sum;
};

extern "C" __global__ void range_for_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y, int n)
{
    __shared__ float tile[16];
    __shared__ float adj_tile[16];
    for (int q = threadIdx.x; q < 16; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n) {
        Filter f;
        f.taps[0] = x[i];
        f.taps[1] = 2.0f;
        f.taps[2] = 0.5f;
        f.sum = 0.0f;
        float tape_f_taps[3];
        for (int k = 0; k < 3; ++k) {
            tape_f_taps[k] = f.taps[k];
            f.taps[k] *= f.taps[k] + 1.0f;
        }
        for (int k = 0; k < 3; ++k) {
            float tap = f.taps[k];
            f.sum += sinf(tap);
        }
        float m[2][TAPS];
        for (int r = 0; r < 2; ++r)
            for (int k = 0; k < 3; ++k)
                m[r][k] = f.sum * (r + 1);
        int trips = 0;
        for (int k = 0; k < 16; ++k) {
            ++trips;
            if (!(tile[k] < 0.0f)) {
                m[1][1] += tile[k] * f.taps[0];
                if (m[1][1] > 9.0f)
                    break;
            }
        }

        // 37:  y[i] = s
        float adj_s = adj_y[i];
        float adj_m[2][TAPS] = {};
        for (int k = 0; k < 2; ++k)
            for (int k2 = 0; k2 < 3; ++k2) {
                float v = m[k][k2];
                // 35:  v : row
                adj_m[k][k2] += 2.0f * v * adj_s;
            }
        Filter adj_f;
        adj_f.taps[0] = 0.0f;
        adj_f.taps[1] = 0.0f;
        adj_f.taps[2] = 0.0f;
        for (int k = trips - 1; k >= 0; --k)
            if (!(tile[k] < 0.0f)) {
                // 29:  m[1][1] += t * f.taps[0]
                float g = adj_m[1][1];
                atomicAdd(&adj_tile[k], f.taps[0] * g);
                adj_f.taps[0] += tile[k] * g;
            }
        adj_f.sum = 0.0f;
        for (int r = 1; r >= 0; --r)
            for (int k = 2; k >= 0; --k) {
                // 25:  v = f.sum * (r + 1)
                adj_f.sum += (r + 1) * adj_m[r][k];
            }
        for (int k = 0; k < 3; ++k) {
            float tap = f.taps[k];
            // 20:  tap : f.taps
            adj_f.taps[k] += cosf(tap) * adj_f.sum;
        }
        for (int k = 2; k >= 0; --k) {
            // 19:  tap *= tap + 1.0f
            float f_taps_was = tape_f_taps[k];
            adj_f.taps[k] = (f_taps_was + 1.0f + f_taps_was) * adj_f.taps[k];
        }

        // 17:  Filter f = {{x[i], 2.0f, 0.5f}, 0.0f}
        adj_x[i] += adj_f.taps[0];
    }
    __syncthreads();

    // 13:  tile[threadIdx.x] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_tile[threadIdx.x];
}
