// warp_rounds_adj: adjoint of warp_rounds (warp_rounds.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_rounds.cu --of y --wrt x
//
// Call with x as it was before warp_rounds. Seed adj_y with dJ/dy: it is left alone,
// because warp_rounds stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 17)         tape_v[(m - 1 > 0 ? m - 1 : 0) + 1], global memory   line 15 changes it in
//                                                                            each iteration
//   rounds              inverted                                             each iteration adds 1
//   trips of line 17,   trips, a register                                    the loop decides in its
//                                                                            iterations when it ends
//   trips of line 25
//   v (line 17), acc    reloaded                                             still in its variable
//   t, o                recomputed                                           from values at hand, in
//                                                                            the reversed iteration
//   left                tape_left[5], registers                              line 27 changes it in
//                                                                            each iteration
//   d                   inverted                                             each iteration
//                                                                            multiplies it with 2
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   +=, by phase    between two barriers one thread per element
//
// Extra memory: a tape of (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 1) *
// sizeof(float) bytes (tape_v) per thread, in global memory;
// warp_rounds_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

#define F 0xffffffffu

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t warp_rounds_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_v
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 1) * sizeof(float) + 15)
             / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void warp_rounds_adj(const float *x, float *adj_x,
                                           float *y, const float *adj_y, int n, int m, char *tape)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_v = (float *)(tape + 16) + thread;
    __shared__ float s[64];
    __shared__ float adj_s[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_s[q] = 0.0f;
    __syncthreads();

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0.0f;
    float acc = 0.0f;
    int rounds = 0;
    int any;
    int trips = 0;
    do {
        tape_v[trips * threads] = v;
        float t = __shfl_xor_sync(F, v, 1 << (rounds % 5));
        acc += t * v;
        v = 0.7f * v + 0.1f * sinf(t);
        ++rounds;
        any = __any_sync(F, fabsf(v) > 0.4f);
        ++trips;
    } while (any && rounds < m);
    unsigned int b = __ballot_sync(F, v > 0.0f);
    int leader = __ffs(b) - 1;
    if (b != 0)
        acc += __shfl_sync(F, v * v, leader);
    s[threadIdx.x] = acc;
    __syncwarp();
    float left = lane > 0 ? s[threadIdx.x - 1] : 0.0f;
    int trips_2 = 0;
    float tape_left[5];
    for (int d = 1; d < 32; d <<= 1) {
        tape_left[trips_2] = left;
        float o = __shfl_up_sync(F, left, d);
        left += lane >= d ? o * acc : 0.0f;
        ++trips_2;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_left = 0.0f;
    float adj_acc = 0.0f;
    if (i < n) {
        // 30:  y[i] = acc + left * __popc(b) + rounds
        float g = adj_y[i];
        adj_acc = g;
        adj_left = __popc(b) * g;
    }
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        float left = tape_left[trip];
        int d = 1 << trip;
        float o = __shfl_up_sync(F, left, d);
        float adj_o = 0.0f;

        // 27:  left += lane >= d ? o * acc : 0.0f
        if (lane >= d) {
            adj_o = acc * adj_left;
            adj_acc += o * adj_left;
        }

        // 26:  float o = __shfl_up_sync(F, left, d)
        float from_above = __shfl_down_sync(F, adj_o, d);
        adj_left += (lane + d < 32 ? from_above : 0.0f) + (lane < d ? adj_o : 0.0f);
    }

    // 24:  float left = lane > 0 ? s[threadIdx.x - 1] : 0.0f
    if (lane > 0)
        adj_s[threadIdx.x - 1] += adj_left;
    __syncwarp();

    // 22:  s[threadIdx.x] = acc
    adj_acc += adj_s[threadIdx.x];
    float adj_v = 0.0f;
    if (b != 0) {
        // 21:  acc += __shfl_sync(F, v * v, leader)
        float total = adj_acc;
        for (int d = 16; d > 0; d /= 2)
            total += __shfl_xor_sync(F, total, d);
        if (lane == (leader & 31))
            adj_v = 2.0f * v * total;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        float v = tape_v[trip * threads];
        float t = __shfl_xor_sync(F, v, 1 << (trip % 5));

        // 15:  v = 0.7f * v + 0.1f * sinf(t)
        float adj_t = 0.1f * cosf(t) * adj_v;
        adj_v *= 0.7f;

        // 14:  acc += t * v
        adj_t += v * adj_acc;
        adj_v += t * adj_acc;

        // 13:  float t = __shfl_xor_sync(F, v, 1 << (rounds % 5))
        adj_v += __shfl_xor_sync(F, adj_t, 1 << (trip % 5));
    }

    // 9:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
