// memory_moved_adj: adjoint of memory_moved (memory_moved.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform memory_moved.cu --of y,last --wrt x
//
// Call with x as it was before memory_moved. Seed adj_y with dJ/dy: it is left alone,
// because memory_moved stores each element of y at most once. Seed adj_last with
// dJ/dlast: it is left alone, because memory_moved stores each element of last at most
// once. dJ/dx is added to adj_x. y and last are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   state[(k + 1) % N]   tape_state[steps][N], global memory     line 13 overwrites it
//   state[k]             tape_state_2[steps][N], global memory   line 13 overwrites it
//   tail[..]             reloaded                                no later store goes to
//                                                                it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)steps * N) * sizeof(float) bytes (tape_state) and
// ((long long)steps * N) * sizeof(float) bytes (tape_state_2) per thread, in global
// memory; memory_moved_adj_tape_bytes(grid, block, n, steps) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define N 4

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t memory_moved_adj_tape_bytes(dim3 grid, dim3 block, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_state
    bytes += (threads * ((long long)(steps > 0 ? steps : 0) * N) * sizeof(float) + 15) / 16 * 16;
    // tape_state_2
    bytes += (threads * ((long long)(steps > 0 ? steps : 0) * N) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void memory_moved_adj(const float *x, float *adj_x,
                                            float *y, const float *adj_y,
                                            float *last, const float *adj_last, int n, int steps,
                                            char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_state = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * N * sizeof(float) + 15) / 16 * 16;
    float *tape_state_2 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float state[N];
    for (int k = 0; k < N; ++k)
        state[k] = x[N * i + k];
    for (int s = 0; s < steps; s++) {
        float next[N];
        for (int k2 = 0; k2 < 4; ++k2)
            next[k2] = 0.0f;
        for (int k = 0; k < N; k++) {
            tape_state[((size_t)s * N + k) * threads] = state[(k + 1) % N];
            next[k] += state[k] + 0.25f * sinf(state[(k + 1) % N]);
            tape_state_2[((size_t)s * N + k) * threads] = state[k];
            next[(k + 1) % N] += 0.125f * 0.25f * state[k] * state[k];
        }
        for (int k3 = 0; k3 < N; ++k3)
            state[k3] = next[k3];
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_state[N] = {};
    if (i == 0) {
        float tail[2];
        for (int k3 = 0; k3 < 2; ++k3)
            tail[k3] = 0.0f;
        for (int k4 = 0; k4 < 1; ++k4)
            tail[1 + k4] = state[1 + k4];
        float adj_tail[2] = {};

        // 30:  last[0] = tail[0] + tail[1] * tail[1]
        float g = adj_last[0];
        adj_tail[0] += g;
        adj_tail[1] += 2.0f * tail[1] * g;
        for (int k4 = 0; k4 >= 0; --k4) {
            // 29:  memcpy(tail + 1, state + 1, sizeof(float))
            adj_state[1 + k4] += adj_tail[1 + k4];
        }
    }
    for (int k2 = 0; k2 < 4; ++k2) {
        // 25:  memcpy(&y[N * i], &state, sizeof(state))
        adj_state[k2] += adj_y[N * i + k2];
    }
    for (int s = steps - 1; s >= 0; --s) {
        float adj_next[N] = {};
        for (int k3 = N - 1; k3 >= 0; --k3) {
            // 13:  memcpy(state, next, N * sizeof(float))
            adj_next[k3] += adj_state[k3];
            adj_state[k3] = 0.0f;
        }
        for (int k = 0; k < N; ++k) {
            // 11:  next[(k + 1) % N] += 0.125f * h * state[k] * state[k]
            adj_state[k] += 0.0625f * tape_state_2[((size_t)s * N + k) * threads]
                            * adj_next[(k + 1) % N];

            // 10:  next[k] += state[k] + h * sinf(state[(k + 1) % N])
            float g = adj_next[k];
            adj_state[k] += g;
            adj_state[(k + 1) % N] += 0.25f * cosf(tape_state[((size_t)s * N + k) * threads]) * g;
        }
        for (int k2 = 3; k2 >= 0; --k2) {
            // 8:  memset(next, 0, sizeof(next))
            adj_next[k2] = 0.0f;
        }
    }
    for (int k = N - 1; k >= 0; --k) {
        // 22:  memcpy(state, x + N * i, sizeof(float) * N)
        adj_x[N * i + k] += adj_state[k];
    }
}
