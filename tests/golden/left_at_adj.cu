// left_at_adj: adjoint of left_at (left_at.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform left_at.cu --of y --wrt x
//
// Call with x as it was before left_at. Seed adj_y with dJ/dy: it is left alone,
// because left_at stores each element of y at most once. dJ/dx is added to adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                  tape_s[m], global memory   line 13 changes it in each iteration
//   trips of line 10   trips, a register          the loop decides in its iterations
//                                                 when it ends
//   x[..]              reloaded                   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of m * sizeof(float) bytes (tape_s) per thread, in global
// memory; left_at_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t left_at_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(float) + 15) / 16 * 16;  // tape_s
    return bytes;
}
#endif

extern "C" __global__ void left_at_adj(const float *x, float *adj_x,
                                       float *y, const float *adj_y, int n, int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_s = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float s = x[i];
    int k = 0;
    int trips = 0;
    int left_by = 0;
    for (; k < m; ++k) {
        tape_s[trips * threads] = s;
        ++trips;
        if (s > 3.0f) {
            left_by = 1;
            break;
        }
        s = s * x[i] + 1.0f;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = s * k
    float adj_s = k * adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        float s = tape_s[trip * threads];
        if (!(trip == trips - 1 && left_by == 1)) {
            // 13:  s = s * x[i] + 1.0f
            adj_x[i] += s * adj_s;
            adj_s *= x[i];
        }
    }

    // 8:  float s = x[i]
    adj_x[i] += adj_s;
}
