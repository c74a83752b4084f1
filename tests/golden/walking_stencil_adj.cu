// walking_stencil_adj: adjoint of walking_stencil (walking_stencil.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform walking_stencil.cu --of out --wrt in
//
// Call with in as it was before walking_stencil. Seed adj_out with dJ/dout: it is left
// alone, because walking_stencil stores each element of out at most once. dJ/din is
// added to adj_in. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   here                       tape_here[nz - 2], global memory    line 20 changes it in
//                                                                  each iteration
//   below                      tape_below[nz - 2], global memory   line 19 changes it in
//                                                                  each iteration
//   in_at2, out_at (line 15)   inverted                            each iteration adds
//                                                                  plane
//   above, out_at (line 17)    recomputed                          from values at hand, in
//                                                                  the reversed iteration
//   in[..]                     reloaded                            nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]   atomicAdd   not proved that two threads never meet in *in, in[plane],
//                            in[-1], in[1] and others
//
// Extra memory: a tape of ((long long)nz - 2) * sizeof(float) bytes (tape_here) and
// ((long long)nz - 2) * sizeof(float) bytes (tape_below) per thread, in global memory;
// walking_stencil_adj_tape_bytes(grid, block, nx, ny, nz) says how many in all.
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t walking_stencil_adj_tape_bytes(dim3 grid, dim3 block, int nx, int ny, int nz)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_here
    bytes += (threads * ((long long)nz - 2 > 0 ? (long long)nz - 2 : 0) * sizeof(float) + 15) / 16
             * 16;
    // tape_below
    bytes += (threads * ((long long)nz - 2 > 0 ? (long long)nz - 2 : 0) * sizeof(float) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void walking_stencil_adj(const float *in, float *adj_in,
                                               float *out, const float *adj_out, int nx, int ny,
                                               int nz, char *tape)
{
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    size_t at = 16;
    float *tape_here = (float *)(tape + at) + thread;
    at += (threads * (nz - 2 > 0 ? nz - 2 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_below = (float *)(tape + at) + thread;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;

    // ---- forward sweep ------------------------------------------------------

    const int plane = nx * ny;
    float below = in[y * nx + x];
    const long in_at = (long)(y * nx + x) + plane;
    float here = in[in_at];
    long in_at2 = 0;
    for (int z = 1; z < nz - 1; ++z) {
        tape_below[(z - 1) * threads] = below;
        tape_here[(z - 1) * threads] = here;
        float above = in[in_at + in_at2 + plane];
        below = here;
        here = above;
        in_at2 += plane;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_below = 0.0f;
    float adj_here = 0.0f;
    for (int z = nz - 2; z >= 1; --z) {
        float below = tape_below[(z - 1) * threads];
        float here = tape_here[(z - 1) * threads];
        long in_at2 = (long)(z - 1) * plane;
        long out_at = (long)(z - 1) * plane;
        float above = in[in_at + in_at2 + plane];
        out_at += plane;

        // 20:  here = above
        float adj_above = adj_here;
        // 19:  below = here
        adj_here = adj_below;

        // 18:  *out = here * (in[-1] + in[1] + in[-nx] + in[nx]) + below * above
        float g = adj_out[y * nx + x + out_at];
        adj_here += (in[in_at + in_at2 - 1] + in[in_at + in_at2 + 1] + in[in_at + in_at2 - nx]
                     + in[in_at + in_at2 + nx]) * g;
        float g_2 = here * g;
        atomicAdd(&adj_in[in_at + in_at2 - 1], g_2);
        atomicAdd(&adj_in[in_at + in_at2 + 1], g_2);
        atomicAdd(&adj_in[in_at + in_at2 - nx], g_2);
        atomicAdd(&adj_in[in_at + in_at2 + nx], g_2);
        adj_below = above * g;
        adj_above += below * g;

        // 16:  float above = in[plane]
        atomicAdd(&adj_in[in_at + in_at2 + plane], adj_above);
    }

    // 14:  float here = *in
    atomicAdd(&adj_in[in_at], adj_here);
    // 12:  float below = *in
    atomicAdd(&adj_in[y * nx + x], adj_below);
}
