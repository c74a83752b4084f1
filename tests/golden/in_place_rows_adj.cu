// in_place_rows_adj: adjoint of in_place_rows (in_place_rows.cu:28).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform in_place_rows.cu --of a --wrt a,scale
//
// Call with a as it was before in_place_rows. adj_a comes in as dJ/da after
// in_place_rows and goes out as dJ/da before it, element by element. dJ/dscale is added
// to adj_scale. The content of a afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 34           trips, a register                        the loop decides in its
//                                                                       iterations when it ends
//   row_at, a_at, dot_value,   recomputed                               from values at hand, in
//                                                                       the reversed iteration
//   a_at2, l2, f
//   v[k] (line 7)              tape_a[rows][rows][n], global memory     line 14 overwrites it
//   u[k]                       tape_a_2[rows][rows][n], global memory   line 14 overwrites it
//   v[k] (line 14)             tape_a_3[rows][rows][n], global memory   line 14 overwrites it
//   v[k] (line 7)              tape_a_4[rows][n], global memory         line 24 overwrites it
//   *u                         tape_a_5[rows][n], global memory         line 24 overwrites it
//
// How adjoints are added up:
//   adj_a[..]   +=, one owner       each thread has elements of its own
//   adj_scale   reduced per block   every thread has its share in it
//
// Extra memory: a tape of ((long long)rows * rows * n) * sizeof(float) bytes (tape_a)
// and ((long long)rows * rows * n) * sizeof(float) bytes (tape_a_2) and ((long
// long)rows * rows * n) * sizeof(float) bytes (tape_a_3) and ((long long)rows * n) *
// sizeof(float) bytes (tape_a_4) and ((long long)rows * n) * sizeof(float) bytes
// (tape_a_5) per thread, in global memory; in_place_rows_adj_tape_bytes(grid, block,
// scale, rows, n, batch) says how many in all.
//
// Assumed: n >= 0, the launch is 1-D, no two threads store the same *u, arrays don't
// overlap, no index wraps, a condition on floating values may be decided twice, and a
// near-tie either way.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t in_place_rows_adj_tape_bytes(dim3 grid, dim3 block, float scale, int rows, int n,
                                               int batch)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_a
    bytes += (threads * ((long long)(rows > 0 ? rows : 0) * (rows > 0 ? rows : 0) * (n > 0 ? n : 0))
              * sizeof(float) + 15) / 16 * 16;
    // tape_a_2
    bytes += (threads * ((long long)(rows > 0 ? rows : 0) * (rows > 0 ? rows : 0) * (n > 0 ? n : 0))
              * sizeof(float) + 15) / 16 * 16;
    // tape_a_3
    bytes += (threads * ((long long)(rows > 0 ? rows : 0) * (rows > 0 ? rows : 0) * (n > 0 ? n : 0))
              * sizeof(float) + 15) / 16 * 16;
    // tape_a_4
    bytes += (threads * ((long long)(rows > 0 ? rows : 0) * (n > 0 ? n : 0)) * sizeof(float) + 15)
             / 16 * 16;
    // tape_a_5
    bytes += (threads * ((long long)(rows > 0 ? rows : 0) * (n > 0 ? n : 0)) * sizeof(float) + 15)
             / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void in_place_rows_adj(float *a, float *adj_a,
                                             float scale, float *adj_scale, int rows, int n,
                                             int batch, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_a = (float *)(tape + at) + thread;
    at += (threads * (rows > 0 ? rows : 0) * (rows > 0 ? rows : 0) * (n > 0 ? n : 0) * sizeof(float)
           + 15) / 16 * 16;
    float *tape_a_2 = (float *)(tape + at) + thread;
    at += (threads * (rows > 0 ? rows : 0) * (rows > 0 ? rows : 0) * (n > 0 ? n : 0) * sizeof(float)
           + 15) / 16 * 16;
    float *tape_a_3 = (float *)(tape + at) + thread;
    at += (threads * (rows > 0 ? rows : 0) * (rows > 0 ? rows : 0) * (n > 0 ? n : 0) * sizeof(float)
           + 15) / 16 * 16;
    float *tape_a_4 = (float *)(tape + at) + thread;
    at += (threads * (rows > 0 ? rows : 0) * (n > 0 ? n : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_a_5 = (float *)(tape + at) + thread;
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_scale_sum = 0.0f;
    if (b < batch) {
        // ---- forward sweep ------------------------------------------------------

        int trips = 0;
        for (int r = 0; r < rows; ++r) {
            ++trips;
            const size_t row_at = (size_t)b * rows * n + r * n;
            for (int q = 0; q < r; ++q) {
                const size_t a_at = (size_t)b * rows * n + q * n;
                float dot_value = 0.0f;
                for (int k = 0; k < n; ++k) {
                    tape_a[(((size_t)r * rows + q) * n + k) * threads] = a[a_at + k];
                    tape_a_2[(((size_t)r * rows + q) * n + k) * threads] = a[row_at + k];
                    dot_value += a[row_at + k] * a[a_at + k];
                }
                const size_t a_at2 = (size_t)b * rows * n + q * n;
                for (int k = 0; k < n; ++k) {
                    tape_a_3[(((size_t)r * rows + q) * n + k) * threads] = a[a_at2 + k];
                    a[row_at + k] -= dot_value * a[a_at2 + k];
                }
            }
            bool normalise_value;
            float l2 = 0.0f;
            for (int k = 0; k < n; ++k) {
                tape_a_4[((size_t)r * n + k) * threads] = a[row_at + k];
                l2 += a[row_at + k] * a[row_at + k];
            }
            if (l2 < 1e-6f) {
                normalise_value = false;
            } else {
                float f = scale * rsqrtf(l2);
                for (long u_at = 0; u_at != n; ++u_at) {
                    tape_a_5[((size_t)r * n + u_at) * threads] = a[row_at + u_at];
                    a[row_at + u_at] *= f;
                }
                normalise_value = true;
            }
            if (!normalise_value)
                break;
        }

        // ---- reverse sweep ------------------------------------------------------

        for (int r = trips - 1; r >= 0; --r) {
            const size_t row_at = (size_t)b * rows * n + r * n;
            float l2 = 0.0f;
            for (int k = 0; k < n; ++k)
                l2 += tape_a_4[((size_t)r * n + k) * threads]
                      * tape_a_4[((size_t)r * n + k) * threads];
            float adj_l2 = 0.0f;
            if (!(l2 < 1e-6f)) {
                float f = scale * rsqrtf(l2);
                float adj_f = 0.0f;
                for (long u_at = n - 1; u_at >= 0; --u_at) {
                    // 24:  *u *= f
                    adj_f += tape_a_5[((size_t)r * n + u_at) * threads] * adj_a[row_at + u_at];
                    adj_a[row_at + u_at] *= f;
                }

                // 22:  float f = scale * rsqrtf(l2)
                float r = rsqrtf(l2);
                adj_scale_sum += r * adj_f;
                adj_l2 = -(0.5f * scale * r * r * r * adj_f);
            }
            for (int k = 0; k < n; ++k) {
                // 7:  s += u[k] * v[k]
                adj_a[row_at + k] += 2.0f * tape_a_4[((size_t)r * n + k) * threads] * adj_l2;
            }
            for (int q = r - 1; q >= 0; --q) {
                const size_t a_at = (size_t)b * rows * n + q * n;
                float dot_value = 0.0f;
                for (int k = 0; k < n; ++k)
                    dot_value += tape_a_2[(((size_t)r * rows + q) * n + k) * threads]
                                 * tape_a[(((size_t)r * rows + q) * n + k) * threads];
                const size_t a_at2 = (size_t)b * rows * n + q * n;
                float adj_dot_value = 0.0f;
                for (int k = n - 1; k >= 0; --k) {
                    // 14:  u[k] -= f * v[k]
                    float g = adj_a[row_at + k];
                    adj_dot_value -= tape_a_3[(((size_t)r * rows + q) * n + k) * threads] * g;
                    adj_a[a_at2 + k] -= dot_value * g;
                }
                for (int k = 0; k < n; ++k) {
                    // 7:  s += u[k] * v[k]
                    adj_a[row_at + k] += tape_a[(((size_t)r * rows + q) * n + k) * threads]
                                         * adj_dot_value;
                    adj_a[a_at + k] += tape_a_2[(((size_t)r * rows + q) * n + k) * threads]
                                       * adj_dot_value;
                }
            }
        }
    }
    block_add(adj_scale, adj_scale_sum);
}
