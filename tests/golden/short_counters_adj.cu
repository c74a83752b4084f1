// short_counters_adj: adjoint of short_counters (short_counters.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform short_counters.cu --of y --wrt x
//
// Call with x as it was before short_counters. Seed adj_y with dJ/dy: it is left alone,
// because short_counters stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c, r (line 12),     inverted                       each iteration adds 1
//   b (line 14)
//   trips of line 11,   trips, a register              the loop decides in its
//                                                      iterations when it ends
//   trips of line 12,
//   trips of line 14
//   r (line 12)         recomputed                     from values at hand, in the
//                                                      reversed iteration
//   m[c][c]             tape_m[3][2], registers        line 13 overwrites it
//   m[r][c] (line 13)   tape_m_2[3][2], registers      line 13 overwrites it
//   b (line 14)         tape_b, a register             line 16 overwrites it
//   m[c][b]             tape_m_3[3][2][2], registers   line 15 overwrites it
//   m[r][c] (line 15)   tape_m_4[3][2][2], registers   line 15 overwrites it
//   m[..]               reloaded                       no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void short_counters_adj(const float *x, float *adj_x,
                                   float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float m[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            m[r][c] = r == c ? 3.0f + x[i] : 0.5f * x[i] * r;
    short c = 0;
    float tape_m[3][2];
    float tape_m_2[3][2];
    float tape_m_3[3][2][2];
    float tape_m_4[3][2][2];
    int trips = 0;
    while (c < 3) {
        int r = c + 1;
        int trips_2 = 0;
        for (int left = 3 - (c + 1); left > 0; ++r, --left) {
            tape_m[trips][trips_2] = m[c][c];
            tape_m_2[trips][trips_2] = m[r][c];
            m[r][c] /= m[c][c];
            short b = c + 1;
            int trips_3 = 0;
            while (b < 3) {
                tape_m_3[trips][trips_2][trips_3] = m[c][b];
                tape_m_4[trips][trips_2][trips_3] = m[r][c];
                m[r][b] -= m[r][c] * m[c][b];
                b += 1;
                ++trips_3;
            }
            ++trips_2;
        }
        ++c;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_m[3][3] = {};

    // 21:  y[i] = logf(m[0][0] * m[1][1] * m[2][2]) + 0.2f * m[2][0]
    float g = adj_y[i];
    float g_2 = g / (m[0][0] * m[1][1] * m[2][2]);
    float g_3 = m[2][2] * g_2;
    adj_m[0][0] += m[1][1] * g_3;
    adj_m[1][1] += m[0][0] * g_3;
    adj_m[2][2] += m[0][0] * m[1][1] * g_2;
    adj_m[2][0] += 0.2f * g;
    for (int trip = trips - 1; trip >= 0; --trip) {
        short c = trip;
        int r = c + 1;
        int trips = 0;
        for (int left = 3 - (c + 1); left > 0; --left)
            ++trips;
        for (int trip_2 = trips - 1; trip_2 >= 0; --trip_2) {
            short b = c + 1;
            short tape_b = b;
            int trips = 0;
            while (b < 3) {
                b += 1;
                ++trips;
            }
            for (int trip_3 = trips - 1; trip_3 >= 0; --trip_3) {
                short b = (short)(tape_b + trip_3);

                // 15:  m[r][b] -= m[r][c] * m[c][b]
                float g = adj_m[r + trip_2][b];
                adj_m[r + trip_2][c] -= tape_m_3[trip][trip_2][trip_3] * g;
                adj_m[c][b] -= tape_m_4[trip][trip_2][trip_3] * g;
            }

            // 13:  m[r][c] /= m[c][c]
            float m_was = tape_m[trip][trip_2];
            float g = adj_m[r + trip_2][c] / m_was;
            adj_m[r + trip_2][c] = g;
            adj_m[c][c] -= tape_m_2[trip][trip_2] * g / m_was;
        }
    }
    for (int r = 2; r >= 0; --r)
        for (int c = 2; c >= 0; --c) {
            // 10:  m[r][c] = r == c ? 3.0f + x[i] : 0.5f * x[i] * r
            float g = adj_m[r][c];
            if (r == c)
                adj_x[i] += g;
            else
                adj_x[i] += 0.5f * r * g;
        }
}
