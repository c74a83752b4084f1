// measured_stack_adj: adjoint of measured_stack (measured_stack.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform measured_stack.cu --of y --wrt x
//
// Call with x, left and right as they were before measured_stack. Seed adj_y with
// dJ/dy: it is left alone, because measured_stack stores each element of y at most
// once. dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                  tape_s[trips_13], global memory      line 15 changes it in each
//                                                           iteration
//   top                tape_top[trips_13], global memory    line 14 or 17 or 19 changes
//                                                           it in each iteration
//   trips of line 13   trips, a register                    the loop decides in its
//                                                           iterations when it ends
//   stack[--top]       tape_node[trips_13], global memory   line 17 overwrites it
//   node               recomputed                           from values at hand, in the
//                                                           reversed iteration
//   x[..]              reloaded                             nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[i] and x[node]
//
// Extra memory: a tape of trips_13 * sizeof(float) bytes (tape_s) and trips_13 *
// sizeof(int) bytes (tape_top) and trips_13 * sizeof(int) bytes (tape_node) per thread,
// in global memory; measured_stack_adj_tape_bytes(grid, block, n, trips_13) says how
// many in all. Nothing bounds the loop of line 13: call measured_stack_measure(x, left,
// right, y, n, trips) first, on the same grid and block, with an int that is 0 for
// trips; then trips_13 = trips[0].
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t measured_stack_adj_tape_bytes(dim3 grid, dim3 block, int n, int trips_13)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (trips_13 > 0 ? trips_13 : 0) * sizeof(float) + 15) / 16 * 16;  // tape_s
    bytes += (threads * (trips_13 > 0 ? trips_13 : 0) * sizeof(int) + 15) / 16 * 16;  // tape_top
    bytes += (threads * (trips_13 > 0 ? trips_13 : 0) * sizeof(int) + 15) / 16 * 16;  // tape_node
    return bytes;
}
#endif

extern "C" __global__ void measured_stack_measure(const float *__restrict__ x,
                                                  const int *__restrict__ left,
                                                  const int *__restrict__ right,
                                                  float *__restrict__ y, int n, int *trips)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int stack[128];
    int top = 0;
    stack[top] = i % 3;
    top++;
    int count = 0;
    while (top > 0) {
        ++count;
        --top;
        int node = stack[top];
        if (left[node] > node) {
            stack[top] = left[node];
            top++;
        }
        if (right[node] > node) {
            stack[top] = right[node];
            top++;
        }
    }
    atomicMax(trips, count);
}

extern "C" __global__ void measured_stack_adj(const float *__restrict__ x,
                                              float *__restrict__ adj_x,
                                              const int *__restrict__ left,
                                              const int *__restrict__ right,
                                              float *__restrict__ y,
                                              const float *__restrict__ adj_y, int n, int trips_13,
                                              char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *overrun = (int *)tape;
    size_t at = 16;
    float *tape_s = (float *)(tape + at) + thread;
    at += (threads * (trips_13 > 0 ? trips_13 : 0) * sizeof(float) + 15) / 16 * 16;
    int *tape_top = (int *)(tape + at) + thread;
    at += (threads * (trips_13 > 0 ? trips_13 : 0) * sizeof(int) + 15) / 16 * 16;
    int *tape_node = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int stack[128];
    int top = 0;
    stack[top] = i % 3;
    top++;
    float s = x[i];
    int trips = 0;
    while (top > 0) {
        if (trips < trips_13)
            tape_top[trips * threads] = top;
        else
            *overrun = 1;
        if (trips < trips_13)
            tape_s[trips * threads] = s;
        else
            *overrun = 1;
        --top;
        int node = stack[top];
        if (trips < trips_13)
            tape_node[trips * threads] = node;
        else
            *overrun = 1;
        s = s * sinf(x[node]) + x[node];
        if (left[node] > node) {
            stack[top] = left[node];
            top++;
        }
        if (right[node] > node) {
            stack[top] = right[node];
            top++;
        }
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 21:  y[i] = s
    float adj_s = adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        float s = trip < trips_13 ? tape_s[trip * threads] : nanf("");
        int node = trip < trips_13 ? tape_node[trip * threads] : 0;

        // 15:  s = s * sinf(x[node]) + x[node]
        float sine;
        float cosine;
        sincosf(x[node], &sine, &cosine);
        atomicAdd(&adj_x[node], s * cosine * adj_s + adj_s);
        adj_s *= sine;
    }

    // 12:  float s = x[i]
    atomicAdd(&adj_x[i], adj_s);
}
