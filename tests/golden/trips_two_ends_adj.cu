// trips_two_ends_adj: adjoint of trips_two_ends (trips_two_ends.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform trips_two_ends.cu --of y --wrt y
//
// Call with x and y as they were before trips_two_ends. adj_y comes in as dJ/dy after
// trips_two_ends and goes out as dJ/dy before it, element by element. The content of y
// afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 10,   trips, a register                                            the loop decides in its
//                                                                                    iterations when it ends
//   trips of line 18,
//   trips of line 27
//   v[1] (line 11)      tape_y[m - 1], global memory                                 line 11 overwrites it
//   v[0]                tape_y_2[m - 1], global memory                               line 11 overwrites it
//   v[1] (line 20)      tape_y_3[32], local memory                                   line 20 overwrites it
//   y[..]               reloaded                                                     no later store goes to
//                                                                                    it
//   v[2]                tape_y_4[(m > 0 ? m : 0) + (k > 0 ? k : 0)], global memory   line 28 overwrites it
//
// How adjoints are added up:
//   adj_y[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of ((long long)m - 1) * sizeof(float) bytes (tape_y) and ((long
// long)m - 1) * sizeof(float) bytes (tape_y_2) and ((long long)(m > 0 ? m : 0) + (k > 0
// ? k : 0)) * sizeof(float) bytes (tape_y_4) per thread, in global memory;
// trips_two_ends_adj_tape_bytes(grid, block, n, m, k) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t trips_two_ends_adj_tape_bytes(dim3 grid, dim3 block, int n, int m, int k)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_y
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(float) + 15) / 16
             * 16;
    // tape_y_2
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(float) + 15) / 16
             * 16;
    // tape_y_4
    bytes += (threads * ((long long)(m > 0 ? m : 0) + (k > 0 ? k : 0)) * sizeof(float) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void trips_two_ends_adj(const float *__restrict__ x,
                                              float *__restrict__ y, float *__restrict__ adj_y,
                                              int n, int m, int k, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_y = (float *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_2 = (float *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_4 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int lo = 0;
    int hi = m - 1;
    int trips = 0;
    while (lo < hi) {
        tape_y[trips * threads] = y[3 * i + 1];
        tape_y_2[trips * threads] = y[3 * i];
        y[3 * i] = y[3 * i] * sinf(y[3 * i + 1]) + x[lo] * x[hi];
        if (x[i + lo] > 0.5f)
            hi--;
        else
            lo++;
        ++trips;
    }
    int low = 0;
    int high = m;
    float tape_y_3[32];
    int trips_2 = 0;
    while (low < high) {
        int mid = (low + high) / 2;
        tape_y_3[trips_2] = y[3 * i + 1];
        y[3 * i + 1] = y[3 * i + 1] * cosf(y[3 * i]) + x[mid];
        if (x[mid] < x[i])
            low = mid + 1;
        else
            high = mid;
        ++trips_2;
    }
    int a = 0;
    int b = 0;
    int trips_3 = 0;
    while (a < m || b < k) {
        tape_y_4[trips_3 * threads] = y[3 * i + 2];
        y[3 * i + 2] = y[3 * i + 2] * sinf(y[3 * i + 1]) + x[i + a] * x[b];
        if (b >= k || (a < m && x[a] < x[i + b]))
            ++a;
        else
            ++b;
        ++trips_3;
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int trip = trips_3 - 1; trip >= 0; --trip) {
        // 28:  v[2] = v[2] * sinf(v[1]) + x[i + a] * x[b]
        float g = adj_y[3 * i + 2];
        float sine;
        float cosine;
        sincosf(y[3 * i + 1], &sine, &cosine);
        adj_y[3 * i + 2] = sine * g;
        adj_y[3 * i + 1] += tape_y_4[trip * threads] * cosine * g;
    }
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        // 20:  v[1] = v[1] * cosf(v[0]) + x[mid]
        float g = adj_y[3 * i + 1];
        float sine;
        float cosine;
        sincosf(y[3 * i], &sine, &cosine);
        adj_y[3 * i + 1] = cosine * g;
        adj_y[3 * i] -= tape_y_3[trip] * sine * g;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        // 11:  v[0] = v[0] * sinf(v[1]) + x[lo] * x[hi]
        float g = adj_y[3 * i];
        float sine;
        float cosine;
        sincosf(tape_y[trip * threads], &sine, &cosine);
        adj_y[3 * i] = sine * g;
        adj_y[3 * i + 1] += tape_y_2[trip * threads] * cosine * g;
    }
}
