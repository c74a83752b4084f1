// relax_until_adj: adjoint of relax_until (relax_until.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform relax_until.cu --of u --wrt u,f --bound 18=limit
//
// Call with u and f as they were before relax_until. adj_u comes in as dJ/du after
// relax_until and goes out as dJ/du before it, element by element. dJ/df is added to
// adj_f. u is only read.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 18   trips, a register                the loop decides in its
//                                                       iterations when it ends
//   s[t]               tape_old[limit], global memory   line 24 overwrites it
//   old                recomputed                       from values at hand, in the
//                                                       reversed iteration
//
// How adjoints are added up:
//   adj_u[..]   +=, one owner   one thread per element, the one that stores u[i]
//   adj_f[..]   +=, one owner   one thread per element, the one that stores u[i]
//   adj_s[..]   +=, by phase    each place hits an element once per block, with
//                               barriers between them
//   adj_s[..]   +=, by phase    between two barriers one thread per element
//
// Extra memory: a tape of limit * sizeof(float) bytes (tape_old) per thread, in global
// memory; relax_until_adj_tape_bytes(grid, block, n, limit) says how many in all.
//
// Assumed: the launch is 1-D, no two threads store the same u[i], arrays don't overlap,
// no index wraps.

#define BLOCK 32

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t relax_until_adj_tape_bytes(dim3 grid, dim3 block, int n, int limit)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (limit > 0 ? limit : 0) * sizeof(float) + 15) / 16 * 16;  // tape_old
    return bytes;
}
#endif

extern "C" __global__ void relax_until_adj(float *__restrict__ u, float *__restrict__ adj_u,
                                           const float *__restrict__ f, float *__restrict__ adj_f,
                                           int n, int limit, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *overrun = (int *)tape;
    float *tape_old = (float *)(tape + 16) + thread;
    __shared__ float s[BLOCK + 2];
    __shared__ float adj_s[BLOCK + 2];
    for (int q = threadIdx.x; q < BLOCK + 2; q += blockDim.x)
        adj_s[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x + 1;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    s[t] = i < n ? u[i] : 0.0f;
    if (threadIdx.x == 0) {
        s[0] = 0.0f;
        s[BLOCK + 1] = 0.0f;
    }
    float rhs = i < n ? f[i] : 0.0f;
    int moves = 1;
    int sweeps = 0;
    int any = __syncthreads_or(moves);
    int trips = 0;
    while (any && sweeps < limit) {
        float old = s[t];
        if (trips < limit)
            tape_old[trips * threads] = old;
        else
            *overrun = 1;
        float v = 0.3f * (s[t - 1] + s[t + 1]) + 0.1f * sinf(old) + rhs;
        moves = fabsf(v - old) > 0.05f;
        ++sweeps;
        __syncthreads();
        s[t] = v;
        any = __syncthreads_or(moves);
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    if (i < n) {
        // 27:  u[i] = s[t]
        adj_s[t] += adj_u[i];
        adj_u[i] = 0.0f;
    }
    float adj_rhs = 0.0f;
    for (int trip = trips - 1; trip >= 0; --trip) {
        float old = trip < limit ? tape_old[trip * threads] : nanf("");

        // 24:  s[t] = v
        float adj_v = adj_s[t];
        adj_s[t] = 0.0f;
        __syncthreads();

        // 20:  float v = 0.3f * (s[t - 1] + s[t + 1]) + 0.1f * sinf(old) + rhs
        float g = 0.3f * adj_v;
        adj_s[t - 1] += g;
        __syncthreads();
        adj_s[t + 1] += g;
        adj_rhs += adj_v;
        __syncthreads();

        // 19:  float old = s[t]
        adj_s[t] += 0.1f * cosf(old) * adj_v;
    }
    __syncthreads();

    // 14:  float rhs = i < n ? f[i] : 0.0f
    if (i < n)
        adj_f[i] += adj_rhs;
    if (threadIdx.x == 0) {
        // 12:  s[BLOCK + 1] = 0.0f
        adj_s[BLOCK + 1] = 0.0f;
        // 11:  s[0] = 0.0f
        adj_s[0] = 0.0f;
    }

    // 9:  s[t] = i < n ? u[i] : 0.0f
    if (i < n)
        adj_u[i] += adj_s[t];
}
