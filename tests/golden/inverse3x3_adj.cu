// inverse3x3_adj: adjoint of inverse3x3 (inverse3x3.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform inverse3x3.cu --of inv --wrt mat
//
// Call with mat as it was before inverse3x3. Seed adj_inv with dJ/dinv: it is left
// alone, because inverse3x3 stores each element of inv at most once. dJ/dmat is added
// to adj_mat. inv is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   r1, r2, c1, c2   recomputed   from values at hand, in the reversed iteration
//   m[..], co[..]    reloaded     no later store goes to it
//   over             reloaded     still in its variable
//
// How adjoints are added up:
//   adj_mat[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void inverse3x3_adj(const float *mat, float *adj_mat,
                                          float *inv, const float *adj_inv, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float m[3][3];
    float co[3][3] = {};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            m[r][c] = mat[9 * i + 3 * r + c];
    for (int r = 0; r < 3; ++r) {
        int r1 = (r + 1) % 3;
        int r2 = (r + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            int c1 = (c + 1) % 3;
            int c2 = (c + 2) % 3;
            co[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    }
    float det = m[0][0] * co[0][0] + m[0][1] * co[0][1] + m[0][2] * co[0][2];
    float over = 1.0f / det;

    // ---- reverse sweep ------------------------------------------------------

    float adj_over = 0.0f;
    float adj_co[3][3] = {};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            // 24:  inv[9 * i + 3 * r + c] = co[c][r] * over
            float g = adj_inv[9 * i + 3 * r + c];
            adj_co[c][r] += over * g;
            adj_over += co[c][r] * g;
        }

    // 21:  float over = 1.0f / det
    float adj_det = -(over * over * adj_over);
    float adj_m[3][3] = {};

    // 20:  float det = m[0][0] * co[0][0] + m[0][1] * co[0][1] + m[0][2] * co[0][2]
    adj_m[0][0] += co[0][0] * adj_det;
    adj_co[0][0] += m[0][0] * adj_det;
    adj_m[0][1] += co[0][1] * adj_det;
    adj_co[0][1] += m[0][1] * adj_det;
    adj_m[0][2] += co[0][2] * adj_det;
    adj_co[0][2] += m[0][2] * adj_det;
    for (int r = 2; r >= 0; --r) {
        int r1 = (r + 1) % 3;
        int r2 = (r + 2) % 3;
        for (int c = 2; c >= 0; --c) {
            int c1 = (c + 1) % 3;
            int c2 = (c + 2) % 3;

            // 17:  co[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
            float g = adj_co[r][c];
            adj_m[r1][c1] += m[r2][c2] * g;
            adj_m[r2][c2] += m[r1][c1] * g;
            adj_m[r1][c2] -= m[r2][c1] * g;
            adj_m[r2][c1] -= m[r1][c2] * g;
        }
    }
    for (int r = 2; r >= 0; --r)
        for (int c = 2; c >= 0; --c) {
            // 12:  m[r][c] = mat[9 * i + 3 * r + c]
            adj_mat[9 * i + 3 * r + c] += adj_m[r][c];
        }
}
