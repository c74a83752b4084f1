// refilled_rows_adj: adjoint of refilled_rows (refilled_rows.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform refilled_rows.cu --of y --wrt x
//
// Call with x and c as they were before refilled_rows. Seed adj_y with dJ/dy: it is
// left alone, because refilled_rows stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 10)                tape_s[m], global memory            line 13 changes it in
//                                                                  each iteration
//   s (line 10)                reloaded                            still in its variable
//   c[..]                      reloaded                            nothing stores to it
//   w[..], row[..] (line 21)   reloaded                            no later store goes to
//                                                                  it
//   trips of line 19           trips, a register                   the loop decides in its
//                                                                  iterations when it ends
//   row[..] (line 19)          snapshot_row[16][4], local memory   line 25 changes it in
//                                                                  each iteration, and
//                                                                  nothing bounds their
//                                                                  number
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of m * sizeof(float) bytes (tape_s) per thread, in global
// memory; refilled_rows_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t refilled_rows_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(float) + 15) / 16 * 16;  // tape_s
    return bytes;
}
#endif

__global__ void refilled_rows_adj(const float *x, float *adj_x, const float *c,
                                  float *y, const float *adj_y, int n, int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_s = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float w[4];
    float s = x[i];
    for (int step = 0; step < m; ++step) {
        tape_s[step * threads] = s;
        for (int j = 0; j < 4; ++j)
            w[j] = s * c[4 * step + j];
        s = w[0] * w[1] + sinf(w[2] * w[3]);
    }
    float next[4];
    float row[4];
    for (int j = 0; j < 4; ++j)
        row[j] = sinf(s) * c[j];
    float change = 1.0f;
    int trips = 0;
    float snapshot_row[16][4];
    int stride = 1;
    while (change > 1e-2f) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j)
                    for (int q = 0; q < 4; ++q)
                        snapshot_row[j][q] = snapshot_row[2 * j][q];
                stride *= 2;
            }
            for (int q = 0; q < 4; ++q)
                snapshot_row[trips / stride][q] = row[q];
        }
        for (int j = 0; j < 4; ++j)
            next[j] = 0.5f * row[j] * row[(j + 1) & 3];
        change = 0.0f;
        for (int j = 0; j < 4; ++j) {
            change += fabsf(row[j] - next[j]);
            row[j] = 0.5f * (row[j] + next[j]);
        }
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_row[4] = {};

    // 28:  y[i] = row[0] + row[1] * row[2]
    float g = adj_y[i];
    adj_row[0] += g;
    adj_row[1] += row[2] * g;
    adj_row[2] += row[1] * g;
    float adj_next[4] = {};
    for (int trip = trips - 1; trip >= 0; --trip) {
        for (int q = 0; q < 4; ++q)
            row[q] = snapshot_row[trip / stride][q];
        for (int r = trip / stride * stride; r < trip; ++r) {
            for (int j = 0; j < 4; ++j)
                next[j] = 0.5f * row[j] * row[(j + 1) & 3];
            for (int j = 0; j < 4; ++j)
                row[j] = 0.5f * (row[j] + next[j]);
        }
        for (int j = 3; j >= 0; --j) {
            // 25:  row[j] = 0.5f * (row[j] + next[j])
            float g = 0.5f * adj_row[j];
            adj_next[j] += g;
            adj_row[j] = g;
        }
        for (int j = 3; j >= 0; --j) {
            // 21:  next[j] = 0.5f * row[j] * row[(j + 1) & 3]
            float g = adj_next[j];
            adj_row[j] += 0.5f * row[(j + 1) & 3] * g;
            adj_row[(j + 1) & 3] += 0.5f * row[j] * g;
            adj_next[j] = 0.0f;
        }
    }
    float adj_s = 0.0f;
    for (int j = 3; j >= 0; --j) {
        // 17:  row[j] = sinf(s) * c[j]
        adj_s += c[j] * cosf(s) * adj_row[j];
    }
    float adj_w[4] = {};
    for (int step = m - 1; step >= 0; --step) {
        float s = tape_s[step * threads];
        for (int j = 0; j < 4; ++j)
            w[j] = s * c[4 * step + j];

        // 13:  s = w[0] * w[1] + sinf(w[2] * w[3])
        adj_w[0] += w[1] * adj_s;
        adj_w[1] += w[0] * adj_s;
        float g = cosf(w[2] * w[3]) * adj_s;
        adj_w[2] += w[3] * g;
        adj_w[3] += w[2] * g;
        adj_s = 0.0f;
        for (int j = 3; j >= 0; --j) {
            // 12:  w[j] = s * c[4 * step + j]
            adj_s += c[4 * step + j] * adj_w[j];
            adj_w[j] = 0.0f;
        }
    }

    // 9:  float s = x[i]
    adj_x[i] += adj_s;
}
