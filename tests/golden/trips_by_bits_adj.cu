// trips_by_bits_adj: adjoint of trips_by_bits (trips_by_bits.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform trips_by_bits.cu --of y --wrt y
//
// Call with key, e and y as they were before trips_by_bits. adj_y comes in as dJ/dy
// after trips_by_bits and goes out as dJ/dy before it, element by element. The content
// of y afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 13,   trips, a register             the loop decides in its
//                                                     iterations when it ends
//   trips of line 21,
//   trips of line 36,
//   trips of line 37,
//   trips of line 40
//   v[1] (line 17)      tape_y[4], registers          line 17 overwrites it
//   v[0] (line 17)      tape_y_2[4], registers        line 17 overwrites it
//   q                   tape_q[32], local memory      line 30 changes it in each
//                                                     iteration
//   best                tape_best[32], local memory   no address or count is rounded
//                                                     twice
//   v[0] (line 29)      tape_y_3[32], local memory    line 29 overwrites it
//   v[1] (line 29)      tape_y_4[32], local memory    line 29 overwrites it
//   v[1] (line 34)      tape_y_5[34], local memory    line 34 overwrites it
//   v[2]                tape_y_6[34], local memory    line 34 overwrites it
//   v[0] (line 38)      tape_y_7[32], local memory    line 38 overwrites it
//   y[..]               reloaded                      no later store goes to it
//   v[1] (line 42)      tape_y_8[31], local memory    line 42 overwrites it
//
// How adjoints are added up:
//   adj_y[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define SIZE 16

extern "C" __global__ void trips_by_bits_adj(const float *__restrict__ key,
                                             const unsigned int *__restrict__ e,
                                             float *__restrict__ y, float *__restrict__ adj_y,
                                             int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int p = 0;
    float tape_y[4];
    float tape_y_2[4];
    int trips = 0;
    while (2 * p + 1 < SIZE) {
        int c = 2 * p + 1;
        if (c + 1 < SIZE && key[c + 1] > key[c])
            ++c;
        tape_y[trips] = y[3 * i + 1];
        tape_y_2[trips] = y[3 * i];
        y[3 * i] = y[3 * i] * sinf(y[3 * i + 1]) + key[c];
        p = c;
        ++trips;
    }
    int q = 0;
    float tape_y_3[32];
    float tape_y_4[32];
    int tape_best[32];
    int trips_2 = 0;
    int tape_q[32];
    for (;;) {
        tape_q[trips_2] = q;
        ++trips_2;
        int best = q;
        int left = 2 * q + 1;
        if (left < m && key[i + left] > key[i + best])
            best = left;
        if (left + 1 < m && key[i + left + 1] > key[i + best])
            best = left + 1;
        tape_best[trips_2 - 1] = best;
        if (best == q)
            break;
        tape_y_3[trips_2 - 1] = y[3 * i];
        tape_y_4[trips_2 - 1] = y[3 * i + 1];
        y[3 * i + 1] = y[3 * i + 1] * cosf(y[3 * i]) + key[best];
        q = best;
    }
    unsigned int d = e[i];
    float tape_y_5[34];
    float tape_y_6[34];
    int trips_3 = 0;
    do {
        tape_y_5[trips_3] = y[3 * i + 1];
        tape_y_6[trips_3] = y[3 * i + 2];
        y[3 * i + 2] = y[3 * i + 2] * sinf(y[3 * i + 1]) + 0.1f * (d % 10);
        d /= 10;
        ++trips_3;
    } while (d);
    float tape_y_7[32];
    int trips_4 = 0;
    for (unsigned int bits = e[i]; bits; bits &= bits - 1) {
        tape_y_7[trips_4] = y[3 * i];
        y[3 * i] = y[3 * i] * cosf(y[3 * i + 2]);
        ++trips_4;
    }
    int c = m - 1;
    float tape_y_8[31];
    int trips_5 = 0;
    while (c > 0) {
        c = (c - 1) / 2;
        tape_y_8[trips_5] = y[3 * i + 1];
        y[3 * i + 1] = y[3 * i + 1] * y[3 * i] + key[c];
        ++trips_5;
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int trip = trips_5 - 1; trip >= 0; --trip) {
        // 42:  v[1] = v[1] * v[0] + key[c]
        float g = adj_y[3 * i + 1];
        adj_y[3 * i + 1] = y[3 * i] * g;
        adj_y[3 * i] += tape_y_8[trip] * g;
    }
    for (int trip = trips_4 - 1; trip >= 0; --trip) {
        // 38:  v[0] = v[0] * cosf(v[2])
        float g = adj_y[3 * i];
        float sine;
        float cosine;
        sincosf(y[3 * i + 2], &sine, &cosine);
        adj_y[3 * i] = cosine * g;
        adj_y[3 * i + 2] -= tape_y_7[trip] * sine * g;
    }
    for (int trip = trips_3 - 1; trip >= 0; --trip) {
        // 34:  v[2] = v[2] * sinf(v[1]) + 0.1f * (d % 10)
        float g = adj_y[3 * i + 2];
        float sine;
        float cosine;
        sincosf(tape_y_5[trip], &sine, &cosine);
        adj_y[3 * i + 2] = sine * g;
        adj_y[3 * i + 1] += tape_y_6[trip] * cosine * g;
    }
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        int q = tape_q[trip];
        int best = tape_best[trip];
        if (best != q) {
            // 29:  v[1] = v[1] * cosf(v[0]) + key[best]
            float g = adj_y[3 * i + 1];
            float sine;
            float cosine;
            sincosf(tape_y_3[trip], &sine, &cosine);
            adj_y[3 * i + 1] = cosine * g;
            adj_y[3 * i] -= tape_y_4[trip] * sine * g;
        }
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        // 17:  v[0] = v[0] * sinf(v[1]) + key[c]
        float g = adj_y[3 * i];
        float sine;
        float cosine;
        sincosf(tape_y[trip], &sine, &cosine);
        adj_y[3 * i] = sine * g;
        adj_y[3 * i + 1] += tape_y_2[trip] * cosine * g;
    }
}
