// rest_of_rows_adj: adjoint of rest_of_rows (rest_of_rows.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rest_of_rows.cu --of y --wrt x --store v
//
// Call with x as it was before rest_of_rows. Seed adj_y with dJ/dy: it is left alone,
// because rest_of_rows stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 13)        tape_v[n - 1 > 4 ? n - 1 : 4], global memory     line 14 changes it in
//                                                                       each iteration
//   v (line 15)        tape_v_6[(n + ROWS - 1) / ROWS], global memory   line 18 or 20 changes it
//                                                                       in each iteration
//   count              recomputed                                       from values at hand, in
//                                                                       the reversed iteration
//   v (line 17)        tape_v_2[4], registers                           line 18 changes it in
//                                                                       each iteration
//   v (line 17)        tape_v_7[(n + ROWS - 1) / ROWS], global memory   --store asks for it
//   v (line 19)        tape_v_3[1], registers                           line 20 changes it in
//                                                                       each iteration
//   v (line 22)        tape_v_5[width - 1], global memory               line 24 changes it in
//                                                                       each iteration
//   v (line 23)        tape_v_4[width / 2], global memory               line 24 changes it in
//                                                                       each iteration
//   trips of line 23   trips, a register                                the loop decides in its
//                                                                       iterations when it ends
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of ((long long)n - 1 > 4 ? (long long)n - 1 : 4) * sizeof(float)
// bytes (tape_v) and (width / 2) * sizeof(float) bytes (tape_v_4) and ((long long)width
// - 1) * sizeof(float) bytes (tape_v_5) and (((long long)n + ROWS - 1) / ROWS) *
// sizeof(float) bytes (tape_v_6) and (((long long)n + ROWS - 1) / ROWS) * sizeof(float)
// bytes (tape_v_7) per thread, in global memory; rest_of_rows_adj_tape_bytes(grid,
// block, n, width) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define ROWS 4

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t rest_of_rows_adj_tape_bytes(dim3 grid, dim3 block, int n, int width)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_v
    bytes += (threads
              * (((long long)n - 1 > 4 ? (long long)n - 1 : 4) > 0
                 ? ((long long)n - 1 > 4 ? (long long)n - 1 : 4) : 0) * sizeof(float) + 15) / 16
             * 16;
    // tape_v_4
    bytes += (threads * (width / 2 > 0 ? width / 2 : 0) * sizeof(float) + 15) / 16 * 16;
    // tape_v_5
    bytes += (threads * ((long long)width - 1 > 0 ? (long long)width - 1 : 0) * sizeof(float) + 15)
             / 16 * 16;
    // tape_v_6
    bytes += (threads
              * (((long long)n + ROWS - 1) / ROWS > 0 ? ((long long)n + ROWS - 1) / ROWS : 0)
              * sizeof(float) + 15) / 16 * 16;
    // tape_v_7
    bytes += (threads
              * (((long long)n + ROWS - 1) / ROWS > 0 ? ((long long)n + ROWS - 1) / ROWS : 0)
              * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void rest_of_rows_adj(const float *x, float *adj_x,
                                            float *y, const float *adj_y, int n, int width,
                                            char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_v = (float *)(tape + at) + thread;
    at += (threads * ((n - 1 > 4 ? n - 1 : 4) > 0 ? (n - 1 > 4 ? n - 1 : 4) : 0) * sizeof(float)
           + 15) / 16 * 16;
    float *tape_v_4 = (float *)(tape + at) + thread;
    at += (threads * (width / 2 > 0 ? width / 2 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_v_5 = (float *)(tape + at) + thread;
    at += (threads * (width - 1 > 0 ? width - 1 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_v_6 = (float *)(tape + at) + thread;
    at += (threads * ((n + ROWS - 1) / ROWS > 0 ? (n + ROWS - 1) / ROWS : 0) * sizeof(float) + 15)
          / 16 * 16;
    float *tape_v_7 = (float *)(tape + at) + thread;

    // ---- forward sweep ------------------------------------------------------

    int i = threadIdx.x;
    float v = x[blockIdx.x * blockDim.x + i];
    int end = ROWS + 1;
    if (blockIdx.x == gridDim.x - 1)
        end = n - (int)blockIdx.x * ROWS;
    for (int k = 1; k < end; ++k) {
        tape_v[(k - 1) * threads] = v;
        v = 2.0f * v * (1.0f - v);
    }
    for (int base = 0; base < n; base += ROWS) {
        tape_v_6[base / ROWS * threads] = v;
        int count = min(ROWS, n - base);
        for (int k = 0; k < count; ++k)
            v = 3.0f * v * (1.0f - v);
        tape_v_7[base / ROWS * threads] = v;
        for (int k = count - (count & 1); k < count; ++k)
            v = v * v + 0.25f;
    }
    for (int j = 1; j < width; ++j) {
        tape_v_5[(j - 1) * threads] = v;
        for (int k = 0; 2 * k < j; ++k)
            v = 2.5f * v * (1.0f - v);
    }

    // ---- reverse sweep ------------------------------------------------------

    // 25:  y[blockIdx.x * blockDim.x + i] = v
    float adj_v = adj_y[blockIdx.x * blockDim.x + i];
    for (int j = width - 1; j >= 1; --j) {
        float v = tape_v_5[(j - 1) * threads];
        int trips = 0;
        for (int k = 0; 2 * k < j; ++k) {
            tape_v_4[trips * threads] = v;
            v = 2.5f * v * (1.0f - v);
            ++trips;
        }
        for (int trip = trips - 1; trip >= 0; --trip) {
            float v = tape_v_4[trip * threads];
            // 24:  v = 2.5f * v * (1.0f - v)
            adj_v = (2.5f * (1.0f - v) - 2.5f * v) * adj_v;
        }
    }
    for (int base = (n + 3) / ROWS * ROWS - 4; base >= 0; base -= ROWS) {
        float v = tape_v_6[base / ROWS * threads];
        float v_2 = tape_v_7[base / ROWS * threads];
        int count = min(ROWS, n - base);
        float tape_v_2[4];
        for (int k = 0; k < count; ++k) {
            tape_v_2[k] = v;
            v = 3.0f * v * (1.0f - v);
        }
        v = v_2;
        float tape_v_3[1];
        for (int k = count - (count & 1); k < count; ++k) {
            tape_v_3[k - (count - (count & 1))] = v;
            v = v * v + 0.25f;
        }
        for (int k = count - 1; k >= count - (count & 1); --k) {
            float v = tape_v_3[k - (count - (count & 1))];
            // 20:  v = v * v + 0.25f
            adj_v *= 2.0f * v;
        }
        for (int k = count - 1; k >= 0; --k) {
            float v = tape_v_2[k];
            // 18:  v = 3.0f * v * (1.0f - v)
            adj_v = (3.0f * (1.0f - v) - 3.0f * v) * adj_v;
        }
    }
    for (int k = end - 1; k >= 1; --k) {
        float v = tape_v[(k - 1) * threads];
        // 14:  v = 2.0f * v * (1.0f - v)
        adj_v = (2.0f * (1.0f - v) - 2.0f * v) * adj_v;
    }

    // 9:  float v = x[blockIdx.x * blockDim.x + i]
    adj_x[blockIdx.x * blockDim.x + i] += adj_v;
}
