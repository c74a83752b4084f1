// sorted_rows_in_place_adj: adjoint of sorted_rows_in_place (sorted_rows_in_place.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sorted_rows_in_place.cu --of y --wrt y
//
// Call with y and lens as they were before sorted_rows_in_place. adj_y comes in as
// dJ/dy after sorted_rows_in_place and goes out as dJ/dy before it, element by element.
// The content of y afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   row[a]             tape_key[k - 1], global memory     line 14 overwrites it
//   key, b (line 12)   recomputed                         from values at hand, in the
//                                                         reversed iteration
//   b (line 13)        inverted                           each iteration subtracts 1
//   trips of line 13   tape_trips[k - 1], global memory   its condition reads elements
//                                                         that are overwritten by then
//   y[..]              reloaded                           no later store goes to it
//
// How adjoints are added up:
//   adj_y[..]   atomicAdd   whoever stores an element may not be its only thread
//   adj_y[..]   exchanged   no proof that only one thread stores an element; one takes
//                           its adjoint
//
// Extra memory: a tape of ((long long)k - 1) * sizeof(float) bytes (tape_key) and
// ((long long)k - 1) * sizeof(int) bytes (tape_trips) per thread, in global memory;
// sorted_rows_in_place_adj_tape_bytes(grid, block, n, k) says how many in all.
//
// Assumed: the launch is 1-D, no two threads store the same row[b + 1], no two threads
// store different values in one row[b + 1], no two threads store different values in
// one row[len - 1], arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t sorted_rows_in_place_adj_tape_bytes(dim3 grid, dim3 block, int n, int k)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_key
    bytes += (threads * ((long long)k - 1 > 0 ? (long long)k - 1 : 0) * sizeof(float) + 15) / 16
             * 16;
    // tape_trips
    bytes += (threads * ((long long)k - 1 > 0 ? (long long)k - 1 : 0) * sizeof(int) + 15) / 16 * 16;
    return bytes;
}
#endif

__global__ void sorted_rows_in_place_adj(float *y, float *adj_y, const int *lens, int n, int k,
                                         char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_key = (float *)(tape + at) + thread;
    at += (threads * (k - 1 > 0 ? k - 1 : 0) * sizeof(float) + 15) / 16 * 16;
    int *tape_trips = (int *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int len = lens[i];
    for (int a = 1; a < k; ++a) {
        float key = y[i * k + a];
        tape_key[(a - 1) * threads] = key;
        int b = a - 1;
        int trips = 0;
        for (; b >= 0 && y[i * k + b] > key; --b) {
            y[i * k + (b + 1)] = y[i * k + b];
            ++trips;
        }
        tape_trips[(a - 1) * threads] = trips;
        y[i * k + (b + 1)] = 0.5f * key * key + key;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  row[len - 1] = row[0] * row[len]
    float g = atomicExch(&adj_y[i * k + (len - 1)], 0.0f);
    atomicAdd(&adj_y[i * k], y[i * k + len] * g);
    atomicAdd(&adj_y[i * k + len], y[i * k] * g);
    for (int a = k - 1; a >= 1; --a) {
        int trips = tape_trips[(a - 1) * threads];
        float key = tape_key[(a - 1) * threads];
        int b = a - 1;

        // 15:  row[b + 1] = 0.5f * key * key + key
        float g = atomicExch(&adj_y[i * k + (b - trips + 1)], 0.0f);
        for (int trip = trips - 1; trip >= 0; --trip) {
            // 14:  row[b + 1] = row[b]
            float g = atomicExch(&adj_y[i * k + (b - trip + 1)], 0.0f);
            atomicAdd(&adj_y[i * k + (b - trip)], g);
        }

        // 11:  float key = row[a]
        atomicAdd(&adj_y[i * k + a], key * g + g);
    }
}
