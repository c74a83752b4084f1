// swell_adj: adjoint of swell (element_over_lines.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform element_over_lines.cu --of u --wrt u,c
//
// Call with u and c as they were before swell. adj_u comes in as dJ/du after swell and
// goes out as dJ/du before it, element by element. dJ/dc is added to adj_c. The content
// of u afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   k                         recomputed                             from values at hand, in
//                                                                    the reversed iteration
//   u[column + width * row]   tape_u[steps][height], global memory   line 13 overwrites it
//
// How adjoints are added up:
//   adj_c[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)steps * height) * sizeof(float) bytes (tape_u)
// per thread, in global memory; swell_adj_tape_bytes(grid, block, width, height, steps)
// says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t swell_adj_tape_bytes(dim3 grid, dim3 block, int width, int height, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_u
    bytes += (threads * ((long long)(steps > 0 ? steps : 0) * (height > 0 ? height : 0))
              * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void swell_adj(float *u, float *adj_u,
                                     const float *c, float *adj_c, int width, int height, int steps,
                                     char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_u = (float *)(tape + 16) + thread;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= width)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int s = 0; s < steps; ++s)
        for (int row = 0; row < height; ++row) {
            float k = c[column + width * row];
            tape_u[((size_t)s * height + row) * threads] = u[column + width * row];
            u[column + width * row] += k * sinf(u[column + width * row]);
        }

    // ---- reverse sweep ------------------------------------------------------

    for (int s = steps - 1; s >= 0; --s)
        for (int row = 0; row < height; ++row) {
            float k = c[column + width * row];

            // 13:  u[column + width * ( row)] += k * sinf(u[column + width * ( row)])
            float g = adj_u[column + width * row];
            float sine;
            float cosine;
            sincosf(tape_u[((size_t)s * height + row) * threads], &sine, &cosine);
            adj_u[column + width * row] += k * cosine * g;

            // 10:  float k = c[column + width * ( row)]
            adj_c[column + width * row] += sine * g;
        }
}
