// scatter_update_adj: adjoint of scatter_update (scatter_update.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scatter_update.cu --of state --wrt state,push --assume injective:cell
//
// Call with state, cell and push as they were before scatter_update. adj_state comes in
// as dJ/dstate after scatter_update and goes out as dJ/dstate before it, element by
// element. dJ/dpush is added to adj_push. The content of state afterwards is
// unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   state[cell[i]]       tape_state[times], global memory   line 9 overwrites it
//   cell[..], push[..]   reloaded                           nothing stores to it
//
// How adjoints are added up:
//   adj_push[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of times * sizeof(double) bytes (tape_state) per thread, in
// global memory; scatter_update_adj_tape_bytes(grid, block, n, times) says how many in
// all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, injective:cell.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t scatter_update_adj_tape_bytes(dim3 grid, dim3 block, int n, int times)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (times > 0 ? times : 0) * sizeof(double) + 15) / 16 * 16;  // tape_state
    return bytes;
}
#endif

extern "C" __global__ void scatter_update_adj(double *state, double *adj_state, const int *cell,
                                              const double *push, double *adj_push, int n,
                                              int times, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_state = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int t = 0; t < times; ++t) {
        tape_state[t * threads] = state[cell[i]];
        state[cell[i]] = state[cell[i]] * push[i] + sin(state[cell[i]]);
    }

    // ---- reverse sweep ------------------------------------------------------

    double adj_push_sum = 0.0;
    for (int t = times - 1; t >= 0; --t) {
        // 9:  state[cell[i]] = state[cell[i]] * push[i] + sin(state[cell[i]])
        double g = adj_state[cell[i]];
        double state_was = tape_state[t * threads];
        adj_push_sum += state_was * g;
        adj_state[cell[i]] = (push[i] + cos(state_was)) * g;
    }
    // what the iterations owe, added once
    if (adj_push_sum != 0.0)
        adj_push[i] += adj_push_sum;
}
