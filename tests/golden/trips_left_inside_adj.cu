// trips_left_inside_adj: adjoint of trips_left_inside (trips_left_inside.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform trips_left_inside.cu --of y --wrt y
//
// Call with x and y as they were before trips_left_inside. adj_y comes in as dJ/dy
// after trips_left_inside and goes out as dJ/dy before it, element by element. The
// content of y afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   j (line 10)          tape_j[4], registers                                     line 14 changes it in
//                                                                                 each iteration
//   trips of line 10,    trips, a register                                        the loop decides in its
//                                                                                 iterations when it ends
//   trips of line 24,
//   trips of line 25
//   v[1] (line 11)       tape_y[4], registers                                     line 11 overwrites it
//   v[0] (line 11)       tape_y_2[4], registers                                   line 11 overwrites it
//   j (line 14), left,   recomputed                                               from values at hand, in
//                                                                                 the reversed iteration
//   k (line 24)
//   v[0] (line 16)       tape_y_3[4], registers                                   line 16 overwrites it
//   v[1] (line 16)       tape_y_4[4], registers                                   line 16 overwrites it
//   first                tape_first[(m - 1 > 0 ? m - 1 : 0) + 2], global memory   line 24 changes it in
//                                                                                 each iteration
//   k (line 24)          tape_k[(m - 1 > 0 ? m - 1 : 0) + 2], global memory       line 24 changes it in
//                                                                                 each iteration
//   v[0] (line 20)       tape_y_5[(m - 1 > 0 ? m - 1 : 0) + 2], global memory     line 20 overwrites it
//   v[2] (line 20)       tape_y_6[(m - 1 > 0 ? m - 1 : 0) + 2], global memory     line 20 overwrites it
//   v[2] (line 23)       tape_y_7[(m - 1 > 0 ? m - 1 : 0) + 2], global memory     line 23 overwrites it
//   v[0] (line 23)       tape_y_8[(m - 1 > 0 ? m - 1 : 0) + 2], global memory     line 23 overwrites it
//   a                    tape_a[m - 1], global memory                             line 25 or 27 changes it
//                                                                                 in each iteration
//   v[1] (line 30)       tape_y_9[m - 1], global memory                           line 30 overwrites it
//   y[..]                reloaded                                                 no later store goes to
//                                                                                 it
//
// How adjoints are added up:
//   adj_y[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of ((long long)m - 1) * sizeof(int) bytes (tape_a) and (((long
// long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(bool) bytes (tape_first) and
// (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(int) bytes (tape_k) and
// (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float) bytes (tape_y_5)
// and (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float) bytes
// (tape_y_6) and (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float)
// bytes (tape_y_7) and (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) *
// sizeof(float) bytes (tape_y_8) and ((long long)m - 1) * sizeof(float) bytes
// (tape_y_9) per thread, in global memory; trips_left_inside_adj_tape_bytes(grid,
// block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t trips_left_inside_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_a
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(int) + 15) / 16 * 16;
    // tape_first
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(bool) + 15)
             / 16 * 16;
    // tape_k
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(int) + 15) / 16
             * 16;
    // tape_y_5
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float) + 15)
             / 16 * 16;
    // tape_y_6
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float) + 15)
             / 16 * 16;
    // tape_y_7
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float) + 15)
             / 16 * 16;
    // tape_y_8
    bytes += (threads * (((long long)m - 1 > 0 ? (long long)m - 1 : 0) + 2) * sizeof(float) + 15)
             / 16 * 16;
    // tape_y_9
    bytes += (threads * ((long long)m - 1 > 0 ? (long long)m - 1 : 0) * sizeof(float) + 15) / 16
             * 16;
    return bytes;
}
#endif

extern "C" __global__ void trips_left_inside_adj(const float *__restrict__ x,
                                                 float *__restrict__ y, float *__restrict__ adj_y,
                                                 int n, int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    int *tape_a = (int *)(tape + at) + thread;
    at += (threads * (m - 1 > 0 ? m - 1 : 0) * sizeof(int) + 15) / 16 * 16;
    bool *tape_first = (bool *)(tape + at) + thread;
    at += (threads * ((m - 1 > 0 ? m - 1 : 0) + 2) * sizeof(bool) + 15) / 16 * 16;
    int *tape_k = (int *)(tape + at) + thread;
    at += (threads * ((m - 1 > 0 ? m - 1 : 0) + 2) * sizeof(int) + 15) / 16 * 16;
    float *tape_y_5 = (float *)(tape + at) + thread;
    at += (threads * ((m - 1 > 0 ? m - 1 : 0) + 2) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_6 = (float *)(tape + at) + thread;
    at += (threads * ((m - 1 > 0 ? m - 1 : 0) + 2) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_7 = (float *)(tape + at) + thread;
    at += (threads * ((m - 1 > 0 ? m - 1 : 0) + 2) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_8 = (float *)(tape + at) + thread;
    at += (threads * ((m - 1 > 0 ? m - 1 : 0) + 2) * sizeof(float) + 15) / 16 * 16;
    float *tape_y_9 = (float *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int j = 0;
    float tape_y[4];
    float tape_y_2[4];
    float tape_y_3[4];
    float tape_y_4[4];
    int trips = 0;
    int left_by = 0;
    int tape_j[4];
    while (true) {
        tape_j[trips] = j;
        ++trips;
        tape_y[trips - 1] = y[3 * i + 1];
        tape_y_2[trips - 1] = y[3 * i];
        y[3 * i] = y[3 * i] * sinf(y[3 * i + 1]) + 0.5f;
        if (x[i + j] > 0.9f) {
            left_by = 1;
            break;
        }
        ++j;
        if (j >= 4) {
            left_by = 2;
            break;
        }
        tape_y_3[trips - 1] = y[3 * i];
        tape_y_4[trips - 1] = y[3 * i + 1];
        y[3 * i + 1] = y[3 * i + 1] * cosf(y[3 * i]);
    }
    int k = 0;
    bool first = true;
    int trips_2 = 0;
    while (true) {
        tape_k[trips_2 * threads] = k;
        tape_first[trips_2 * threads] = first;
        ++trips_2;
        bool left = false;
        if (!first) {
            ++k;
            if (!(k < m))
                left = true;
        }
        if (left)
            break;
        first = false;
        tape_y_5[(trips_2 - 1) * threads] = y[3 * i];
        tape_y_6[(trips_2 - 1) * threads] = y[3 * i + 2];
        y[3 * i + 2] = y[3 * i + 2] * sinf(y[3 * i]) + 0.25f;
        if (!(x[i + k] < 0.1f)) {
            tape_y_7[(trips_2 - 1) * threads] = y[3 * i + 2];
            tape_y_8[(trips_2 - 1) * threads] = y[3 * i];
            y[3 * i] = y[3 * i] * y[3 * i + 2];
        }
    }
    int trips_3 = 0;
    for (int a = 1; a < m; ++a) {
        tape_a[trips_3 * threads] = a;
        if (x[a] > 0.7f) {
            ++a;
        } else {
            tape_y_9[trips_3 * threads] = y[3 * i + 1];
            y[3 * i + 1] = y[3 * i + 1] * cosf(y[3 * i + 2]) + x[a];
        }
        ++trips_3;
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int trip = trips_3 - 1; trip >= 0; --trip) {
        int a = tape_a[trip * threads];
        if (!(x[a] > 0.7f)) {
            // 30:  v[1] = v[1] * cosf(v[2]) + x[a]
            float g = adj_y[3 * i + 1];
            float sine;
            float cosine;
            sincosf(y[3 * i + 2], &sine, &cosine);
            adj_y[3 * i + 1] = cosine * g;
            adj_y[3 * i + 2] -= tape_y_9[trip * threads] * sine * g;
        }
    }
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        int k = tape_k[trip * threads];
        bool first = tape_first[trip * threads];
        bool left = false;
        if (!first) {
            ++k;
            if (!(k < m))
                left = true;
        }
        if (!left) {
            if (!(x[i + k] < 0.1f)) {
                // 23:  v[0] = v[0] * v[2]
                float g = adj_y[3 * i];
                adj_y[3 * i] = tape_y_7[trip * threads] * g;
                adj_y[3 * i + 2] += tape_y_8[trip * threads] * g;
            }

            // 20:  v[2] = v[2] * sinf(v[0]) + 0.25f
            float g = adj_y[3 * i + 2];
            float sine;
            float cosine;
            sincosf(tape_y_5[trip * threads], &sine, &cosine);
            adj_y[3 * i + 2] = sine * g;
            adj_y[3 * i] += tape_y_6[trip * threads] * cosine * g;
        }
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        int j = tape_j[trip];
        if (!(trip == trips - 1 && left_by == 1))
            if (j + 1 < 4) {
                // 16:  v[1] = v[1] * cosf(v[0])
                float g = adj_y[3 * i + 1];
                float sine;
                float cosine;
                sincosf(tape_y_3[trip], &sine, &cosine);
                adj_y[3 * i + 1] = cosine * g;
                adj_y[3 * i] -= tape_y_4[trip] * sine * g;
            }

        // 11:  v[0] = v[0] * sinf(v[1]) + 0.5f
        float g = adj_y[3 * i];
        float sine;
        float cosine;
        sincosf(tape_y[trip], &sine, &cosine);
        adj_y[3 * i] = sine * g;
        adj_y[3 * i + 1] += tape_y_2[trip] * cosine * g;
    }
}
