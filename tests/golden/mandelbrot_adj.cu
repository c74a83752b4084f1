// mandelbrot_adj: adjoint of mandelbrot (mandelbrot.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform mandelbrot.cu --of smooth --wrt cx,cy
//
// Call with cx and cy as they were before mandelbrot. Seed adj_smooth with dJ/dsmooth:
// it is left alone, because mandelbrot stores each element of smooth at most once.
// dJ/dcx is added to adj_cx; dJ/dcy is added to adj_cy. smooth is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   x (line 10)                tape_x[limit], global memory   line 15 changes it in
//                                                             each iteration
//   y (line 10)                tape_y[limit], global memory   line 14 changes it in
//                                                             each iteration
//   trips of line 10           trips, a register              the loop decides in its
//                                                             iterations when it ends
//   x (line 10), y (line 10)   reloaded                       still in its variable
//
// How adjoints are added up:
//   adj_cy[..]   +=, one owner   one thread per element
//   adj_cx[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of limit * sizeof(float) bytes (tape_x) and limit *
// sizeof(float) bytes (tape_y) per thread, in global memory;
// mandelbrot_adj_tape_bytes(grid, block, n, limit) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t mandelbrot_adj_tape_bytes(dim3 grid, dim3 block, int n, int limit)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (limit > 0 ? limit : 0) * sizeof(float) + 15) / 16 * 16;  // tape_x
    bytes += (threads * (limit > 0 ? limit : 0) * sizeof(float) + 15) / 16 * 16;  // tape_y
    return bytes;
}
#endif

extern "C" __global__ void mandelbrot_adj(const float *cx, float *adj_cx,
                                          const float *cy, float *adj_cy,
                                          float *smooth, const float *adj_smooth, int n, int limit,
                                          char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_x = (float *)(tape + at) + thread;
    at += (threads * (limit > 0 ? limit : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_y = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float x = 0.0f;
    float y = 0.0f;
    int k;
    int trips = 0;
    int left_by = 0;
    for (k = 0; k < limit; k++) {
        tape_y[k * threads] = y;
        tape_x[k * threads] = x;
        ++trips;
        float xx = x * x;
        float yy = y * y;
        if (xx + yy > 16.0f) {
            left_by = 1;
            break;
        }
        y = 2.0f * x * y + cy[i];
        x = xx - yy + cx[i];
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_y;
    float adj_x;
    if (k < limit) {
        // 18:  smooth[i] = k + 1 - log2f(0.5f * logf(x * x + y * y))
        float g = -1.4426950408889634f * 0.5f * adj_smooth[i] / (0.5f * logf(x * x + y * y))
                  / (x * x + y * y);
        adj_x = 2.0f * x * g;
        adj_y = 2.0f * y * g;
    } else {
        // 20:  smooth[i] = x + y
        float g = adj_smooth[i];
        adj_x = g;
        adj_y = g;
    }
    for (int k = trips - 1; k >= 0; --k) {
        float y = tape_y[k * threads];
        float x = tape_x[k * threads];
        float adj_yy = 0.0f;
        float adj_xx = 0.0f;
        if (!(k == trips - 1 && left_by == 1)) {
            // 15:  x = xx - yy + cx[i]
            adj_xx = adj_x;
            adj_yy = -adj_x;
            adj_cx[i] += adj_x;

            // 14:  y = 2.0f * x * y + cy[i]
            adj_x = 2.0f * y * adj_y;
            adj_cy[i] += adj_y;
            adj_y *= 2.0f * x;
        }

        // 11:  yy = y * y
        adj_y += 2.0f * y * adj_yy;
        // 11:  float xx = x * x
        adj_x += 2.0f * x * adj_xx;
    }
}
