// sort_network_adj: adjoint of sort_network (sort_network.cu:12).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sort_network.cu --of y --wrt x
//
// Call with x as it was before sort_network. Seed adj_y with dJ/dy: it is left alone,
// because sort_network stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   window_at     inverted                each iteration adds 1
//   *a (line 5)   tape_v, a register      line 7 overwrites it
//   *b (line 5)   tape_v_2, a register    line 7 overwrites it
//   *a (line 5)   tape_v_3, a register    line 7 overwrites it
//   *b (line 5)   tape_v_4, a register    line 7 overwrites it
//   *a (line 5)   tape_v_5, a register    line 7 overwrites it
//   *b (line 5)   tape_v_6, a register    line 7 overwrites it
//   *a (line 5)   tape_v_7, a register    line 7 overwrites it
//   *b (line 5)   tape_v_8, a register    line 7 overwrites it
//   *a (line 5)   tape_v_9, a register    line 7 overwrites it
//   *b (line 5)   tape_v_10, a register   line 7 overwrites it
//   *a (line 5)   tape_v_11, a register   line 7 overwrites it
//   *b (line 5)   tape_v_12, a register   line 7 overwrites it
//   *a (line 5)   tape_v_13, a register   line 7 overwrites it
//   *b (line 5)   tape_v_14, a register   line 7 overwrites it
//   *a (line 5)   tape_v_15, a register   line 7 overwrites it
//   *b (line 5)   tape_v_16, a register   line 7 overwrites it
//   *a (line 5)   tape_v_17, a register   line 7 overwrites it
//   *b (line 5)   tape_v_18, a register   line 7 overwrites it
//   v[..]         reloaded                no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in *window++
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void sort_network_adj(const float *x, float *adj_x,
                                            float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 4 >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float v[5];
    long window_at = 0;
    for (long p_at = 0; p_at != 5; ++p_at) {
        v[p_at] = x[i + window_at] * 2.0f;
        window_at++;
    }
    float tape_v = v[0];
    float tape_v_2 = v[1];
    if (v[0] > v[1]) {
        float t = v[0];
        v[0] = v[1];
        v[1] = t;
    }
    float tape_v_3 = v[3];
    float tape_v_4 = v[4];
    if (v[3] > v[4]) {
        float t = v[3];
        v[3] = v[4];
        v[4] = t;
    }
    float tape_v_5 = v[2];
    float tape_v_6 = v[4];
    if (v[2] > v[4]) {
        float t = v[2];
        v[2] = v[4];
        v[4] = t;
    }
    float tape_v_7 = v[2];
    float tape_v_8 = v[3];
    if (v[2] > v[3]) {
        float t = v[2];
        v[2] = v[3];
        v[3] = t;
    }
    float tape_v_9 = v[1];
    float tape_v_10 = v[4];
    if (v[1] > v[4]) {
        float t = v[1];
        v[1] = v[4];
        v[4] = t;
    }
    float tape_v_11 = v[0];
    float tape_v_12 = v[3];
    if (v[0] > v[3]) {
        float t = v[0];
        v[0] = v[3];
        v[3] = t;
    }
    float tape_v_13 = v[0];
    float tape_v_14 = v[2];
    if (v[0] > v[2]) {
        float t = v[0];
        v[0] = v[2];
        v[2] = t;
    }
    float tape_v_15 = v[1];
    float tape_v_16 = v[3];
    if (v[1] > v[3]) {
        float t = v[1];
        v[1] = v[3];
        v[3] = t;
    }
    float tape_v_17 = v[1];
    float tape_v_18 = v[2];
    if (v[1] > v[2]) {
        float t = v[1];
        v[1] = v[2];
        v[2] = t;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_v[5] = {};

    // 30:  y[i] = v[2] * v[2] + v[0]
    float g = adj_y[i];
    adj_v[2] += 2.0f * v[2] * g;
    adj_v[0] += g;
    if (tape_v_17 > tape_v_18) {
        // 8:  *b = t
        float adj_t = adj_v[2];
        adj_v[2] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[1];
        adj_v[1] = 0.0f;
        adj_v[2] += g;

        // 6:  float t = *a
        adj_v[1] += adj_t;
    }
    if (tape_v_15 > tape_v_16) {
        // 8:  *b = t
        float adj_t = adj_v[3];
        adj_v[3] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[1];
        adj_v[1] = 0.0f;
        adj_v[3] += g;

        // 6:  float t = *a
        adj_v[1] += adj_t;
    }
    if (tape_v_13 > tape_v_14) {
        // 8:  *b = t
        float adj_t = adj_v[2];
        adj_v[2] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[0];
        adj_v[0] = 0.0f;
        adj_v[2] += g;

        // 6:  float t = *a
        adj_v[0] += adj_t;
    }
    if (tape_v_11 > tape_v_12) {
        // 8:  *b = t
        float adj_t = adj_v[3];
        adj_v[3] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[0];
        adj_v[0] = 0.0f;
        adj_v[3] += g;

        // 6:  float t = *a
        adj_v[0] += adj_t;
    }
    if (tape_v_9 > tape_v_10) {
        // 8:  *b = t
        float adj_t = adj_v[4];
        adj_v[4] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[1];
        adj_v[1] = 0.0f;
        adj_v[4] += g;

        // 6:  float t = *a
        adj_v[1] += adj_t;
    }
    if (tape_v_7 > tape_v_8) {
        // 8:  *b = t
        float adj_t = adj_v[3];
        adj_v[3] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[2];
        adj_v[2] = 0.0f;
        adj_v[3] += g;

        // 6:  float t = *a
        adj_v[2] += adj_t;
    }
    if (tape_v_5 > tape_v_6) {
        // 8:  *b = t
        float adj_t = adj_v[4];
        adj_v[4] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[2];
        adj_v[2] = 0.0f;
        adj_v[4] += g;

        // 6:  float t = *a
        adj_v[2] += adj_t;
    }
    if (tape_v_3 > tape_v_4) {
        // 8:  *b = t
        float adj_t = adj_v[4];
        adj_v[4] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[3];
        adj_v[3] = 0.0f;
        adj_v[4] += g;

        // 6:  float t = *a
        adj_v[3] += adj_t;
    }
    if (tape_v > tape_v_2) {
        // 8:  *b = t
        float adj_t = adj_v[1];
        adj_v[1] = 0.0f;

        // 7:  *a = *b
        float g = adj_v[0];
        adj_v[0] = 0.0f;
        adj_v[1] += g;

        // 6:  float t = *a
        adj_v[0] += adj_t;
    }
    for (long p_at = 4; p_at >= 0; --p_at) {
        // 20:  *p = *window++ * 2.0f
        atomicAdd(&adj_x[i + p_at], 2.0f * adj_v[p_at]);
    }
}
