// measured_trips_adj: adjoint of measured_trips (measured_trips.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform measured_trips.cu --of y --wrt y
//
// Call with p, y and x as they were before measured_trips. adj_y comes in as dJ/dy
// after measured_trips and goes out as dJ/dy before it, element by element. The content
// of y afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 11,   trips, a register                   the loop decides in its
//                                                           iterations when it ends
//   trips of line 15
//   v[1] (line 12)      tape_y[trips_11], global memory     line 12 overwrites it
//   v[0]                tape_y_2[trips_11], global memory   line 12 overwrites it
//   v[1] (line 16)      tape_y_3[trips_15], global memory   line 16 overwrites it
//   y[..]               reloaded                            no later store goes to it
//
// How adjoints are added up:
//   adj_y[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of trips_11 * sizeof(float) bytes (tape_y) and trips_11 *
// sizeof(float) bytes (tape_y_2) and trips_15 * sizeof(float) bytes (tape_y_3) per
// thread, in global memory; measured_trips_adj_tape_bytes(grid, block, n, trips_11,
// trips_15) says how many in all. Nothing bounds the loops of lines 11 and 15: call
// measured_trips_measure(p, y, x, n, trips) first, on the same grid and block, with
// copies of y, which it changes, and 2 ints that are 0 for trips; then trips_11 =
// trips[0] and trips_15 = trips[1].
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t measured_trips_adj_tape_bytes(dim3 grid, dim3 block, int n, int trips_11,
                                                int trips_15)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (trips_11 > 0 ? trips_11 : 0) * sizeof(float) + 15) / 16 * 16;  // tape_y
    bytes += (threads * (trips_11 > 0 ? trips_11 : 0) * sizeof(float) + 15) / 16 * 16;  // tape_y_2
    bytes += (threads * (trips_15 > 0 ? trips_15 : 0) * sizeof(float) + 15) / 16 * 16;  // tape_y_3
    return bytes;
}
#endif

extern "C" __global__ void measured_trips_measure(const int *__restrict__ p, float *__restrict__ y,
                                                  const float *__restrict__ x, int n, int *trips)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = p[i];
    int count = 0;
    while (k != 1) {
        ++count;
        y[3 * i] = y[3 * i] * sinf(y[3 * i + 1]) + 0.3f;
        k = k % 2 ? 3 * k + 1 : k / 2;
    }
    atomicMax(trips, count);
    int count_2 = 0;
    while (y[3 * i + 2] < 4.0f) {
        ++count_2;
        y[3 * i + 1] = y[3 * i + 1] * cosf(y[3 * i]) + 0.1f * x[i];
        y[3 * i + 2] = 1.6f * y[3 * i + 2] + 0.1f * y[3 * i + 1];
    }
    atomicMax(&trips[1], count_2);
}

extern "C" __global__ void measured_trips_adj(const int *__restrict__ p,
                                              float *__restrict__ y, float *__restrict__ adj_y,
                                              const float *__restrict__ x, int n, int trips_11,
                                              int trips_15, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *overrun = (int *)tape;
    size_t at = 16;
    float *tape_y = (float *)(tape + at) + thread;
    at += (threads * (trips_11 > 0 ? trips_11 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_2 = (float *)(tape + at) + thread;
    at += (threads * (trips_11 > 0 ? trips_11 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_3 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int k = p[i];
    int trips = 0;
    while (k != 1) {
        if (trips < trips_11)
            tape_y[trips * threads] = y[3 * i + 1];
        else
            *overrun = 1;
        if (trips < trips_11)
            tape_y_2[trips * threads] = y[3 * i];
        else
            *overrun = 1;
        y[3 * i] = y[3 * i] * sinf(y[3 * i + 1]) + 0.3f;
        k = k % 2 ? 3 * k + 1 : k / 2;
        ++trips;
    }
    int trips_2 = 0;
    while (y[3 * i + 2] < 4.0f) {
        if (trips_2 < trips_15)
            tape_y_3[trips_2 * threads] = y[3 * i + 1];
        else
            *overrun = 1;
        y[3 * i + 1] = y[3 * i + 1] * cosf(y[3 * i]) + 0.1f * x[i];
        y[3 * i + 2] = 1.6f * y[3 * i + 2] + 0.1f * y[3 * i + 1];
        ++trips_2;
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        // 17:  v[2] = 1.6f * v[2] + 0.1f * v[1]
        float g = adj_y[3 * i + 2];
        adj_y[3 * i + 2] = 1.6f * g;
        adj_y[3 * i + 1] += 0.1f * g;

        // 16:  v[1] = v[1] * cosf(v[0]) + 0.1f * x[i]
        float g_2 = adj_y[3 * i + 1];
        float sine;
        float cosine;
        sincosf(y[3 * i], &sine, &cosine);
        adj_y[3 * i + 1] = cosine * g_2;
        adj_y[3 * i] -= (trip < trips_15 ? tape_y_3[trip * threads] : nanf("")) * sine * g_2;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        // 12:  v[0] = v[0] * sinf(v[1]) + 0.3f
        float g = adj_y[3 * i];
        float sine;
        float cosine;
        sincosf(trip < trips_11 ? tape_y[trip * threads] : nanf(""), &sine, &cosine);
        adj_y[3 * i] = sine * g;
        adj_y[3 * i + 1] += (trip < trips_11 ? tape_y_2[trip * threads] : nanf("")) * cosine * g;
    }
}
