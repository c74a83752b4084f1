// trips_by_value_adj: adjoint of trips_by_value (trips_by_value.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform trips_by_value.cu --of y --wrt y
//
// Call with len and y as they were before trips_by_value. adj_y comes in as dJ/dy after
// trips_by_value and goes out as dJ/dy before it, element by element. The content of y
// afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   v[1] (line 11)   tape_y[3], registers     line 11 overwrites it
//   v[0] (line 11)   tape_y_2[3], registers   line 11 overwrites it
//   v[0] (line 14)   tape_y_3[4], registers   line 14 overwrites it
//   v[1] (line 14)   tape_y_4[4], registers   line 14 overwrites it
//   v[2]             tape_y_5[6], registers   line 17 overwrites it
//   y[..]            reloaded                 no later store goes to it
//   v[3]             tape_y_6[4], registers   line 22 overwrites it
//   v[0] (line 25)   tape_y_7[3], registers   line 25 overwrites it
//
// How adjoints are added up:
//   adj_y[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void trips_by_value_adj(const int *__restrict__ len,
                                              float *__restrict__ y, float *__restrict__ adj_y,
                                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int masked = len[i] & 3;
    float tape_y[3];
    float tape_y_2[3];
    for (int k = 0; k < masked; ++k) {
        tape_y[k] = y[4 * i + 1];
        tape_y_2[k] = y[4 * i];
        y[4 * i] = y[4 * i] * sinf(y[4 * i + 1]) + 0.5f;
    }
    int rest = len[i] % 5;
    float tape_y_3[4];
    float tape_y_4[4];
    for (int k = 0; k < rest; ++k) {
        tape_y_3[k] = y[4 * i];
        tape_y_4[k] = y[4 * i + 1];
        y[4 * i + 1] = y[4 * i + 1] * cosf(y[4 * i]) + 0.25f;
    }
    int least = min(len[i], 6);
    float tape_y_5[6];
    for (int k = least; k > 0; --k) {
        tape_y_5[k - 1] = y[4 * i + 2];
        y[4 * i + 2] = y[4 * i + 2] * sinf(y[4 * i + 1]) + 0.125f;
    }
    int clamped = len[i];
    if (clamped > 4)
        clamped = 4;
    float tape_y_6[4];
    for (int k = 0; k < clamped; ++k) {
        tape_y_6[k] = y[4 * i + 3];
        y[4 * i + 3] = y[4 * i + 3] * sinf(y[4 * i + 2]) + y[4 * i];
    }
    float tape_y_7[3];
    if (len[i] <= 3)
        for (int k = 0; k < len[i]; ++k) {
            tape_y_7[k] = y[4 * i];
            y[4 * i] = y[4 * i] * y[4 * i + 3];
        }

    // ---- reverse sweep ------------------------------------------------------

    if (len[i] <= 3)
        for (int k = len[i] - 1; k >= 0; --k) {
            // 25:  v[0] = v[0] * v[3]
            float g = adj_y[4 * i];
            adj_y[4 * i] = y[4 * i + 3] * g;
            adj_y[4 * i + 3] += tape_y_7[k] * g;
        }
    for (int k = clamped - 1; k >= 0; --k) {
        // 22:  v[3] = v[3] * sinf(v[2]) + v[0]
        float g = adj_y[4 * i + 3];
        float sine;
        float cosine;
        sincosf(y[4 * i + 2], &sine, &cosine);
        adj_y[4 * i + 3] = sine * g;
        adj_y[4 * i + 2] += tape_y_6[k] * cosine * g;
        adj_y[4 * i] += g;
    }
    for (int k = 1; k <= least; ++k) {
        // 17:  v[2] = v[2] * sinf(v[1]) + 0.125f
        float g = adj_y[4 * i + 2];
        float sine;
        float cosine;
        sincosf(y[4 * i + 1], &sine, &cosine);
        adj_y[4 * i + 2] = sine * g;
        adj_y[4 * i + 1] += tape_y_5[k - 1] * cosine * g;
    }
    for (int k = rest - 1; k >= 0; --k) {
        // 14:  v[1] = v[1] * cosf(v[0]) + 0.25f
        float g = adj_y[4 * i + 1];
        float sine;
        float cosine;
        sincosf(tape_y_3[k], &sine, &cosine);
        adj_y[4 * i + 1] = cosine * g;
        adj_y[4 * i] -= tape_y_4[k] * sine * g;
    }
    for (int k = masked - 1; k >= 0; --k) {
        // 11:  v[0] = v[0] * sinf(v[1]) + 0.5f
        float g = adj_y[4 * i];
        float sine;
        float cosine;
        sincosf(tape_y[k], &sine, &cosine);
        adj_y[4 * i] = sine * g;
        adj_y[4 * i + 1] += tape_y_2[k] * cosine * g;
    }
}
