// laplace_adj: adjoint of laplace (spectral_laplace.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform spectral_laplace.cu --of result --wrt q,geo
//
// Call with q, geo and d as they were before laplace. Seed adj_result with dJ/dresult:
// it is left alone, because laplace stores each element of result at most once. dJ/dq
// is added to adj_q; dJ/dgeo is added to adj_geo. result is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   qr, qs, g00, g01, g11   reloaded   still in its variable
//   s_d[..], s_q[..]        reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_q[..]      +=, one owner   one thread per element
//   adj_geo[..]    +=, one owner   one thread per element
//   adj_s_q[..]    +=, gathered    a thread collects what all threads of its row owe to
//                                  its element of s_q
//   adj_s_q[..]    +=, by phase    between two barriers one thread per element
//   adj_s_gr[..]   +=, gathered    a thread collects what all threads of its row owe to
//                                  its element of s_gr
//   adj_s_gs[..]   +=, gathered    a thread collects what all threads of its row owe to
//                                  its element of s_gs
//
// Of the template laplace this is the instance with NQ = 5.
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

extern "C" __global__ void laplace_adj(const float *__restrict__ q, float *__restrict__ adj_q,
                                       const float *__restrict__ geo, float *__restrict__ adj_geo,
                                       const float *__restrict__ d,
                                       float *__restrict__ result,
                                       const float *__restrict__ adj_result, float lambda)
{
    __shared__ float s_q[5][5];
    __shared__ float adj_s_q[5][5];
    __shared__ float s_d[5][5];
    __shared__ float adj_sum_tile[5][5];
    __shared__ float adj_qs_tile[5][5];
    __shared__ float adj_qr_tile[5][5];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < 5 * 5; q += blockDim.x * blockDim.y)
        adj_s_q[q / 5][q % 5] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    const int i = threadIdx.x;
    const int j = threadIdx.y;
    const int e = blockIdx.x;
    const int point = (e * 5 + j) * 5 + i;

    s_d[j][i] = d[j * 5 + i];
    s_q[j][i] = q[point];
    __syncthreads();

    float qr = 0.0f;
    float qs = 0.0f;
    #pragma unroll
    for (int m = 0; m < 5; ++m) {
        qr += s_d[i][m] * s_q[j][m];
        qs += s_d[j][m] * s_q[m][i];
    }
    const int g_at = e * 3 * 5 * 5 + j * 5 + i;
    const float g00 = geo[g_at];
    const float g01 = geo[g_at + 25];
    const float g11 = geo[g_at + 50];

    // ---- reverse sweep ------------------------------------------------------

    // 39:  result[point] = sum
    float adj_sum = adj_result[point];
    adj_sum_tile[j][i] = adj_sum;
    __syncthreads();
    float adj_s_gs_sum = 0.0f;
    float adj_s_gr_sum = 0.0f;
    // what the threads along x and y owe to this thread's elements
    #pragma unroll
    for (int m = 0; m < 5; ++m) {
        // 37:  sum += s_d[m][j] * s_gs[m][i]
        adj_s_gs_sum += s_d[j][m] * adj_sum_tile[m][i];
        // 36:  sum += s_d[m][i] * s_gr[j][m]
        adj_s_gr_sum += s_d[i][m] * adj_sum_tile[j][m];
    }

    // 33:  float sum = lambda * g00 * s_q[j][i]
    float adj_g00 = s_q[j][i] * lambda * adj_sum;
    adj_s_q[j][i] += lambda * g00 * adj_sum;

    // 28:  g11 = g[2 * NQ * NQ]
    adj_geo[g_at + 50] += qs * adj_s_gs_sum;

    // 30:  s_gs[j][i] = g01 * qr + g11 * qs
    float adj_g01 = qr * adj_s_gs_sum;
    float adj_qr = g01 * adj_s_gs_sum;
    float adj_qs = g11 * adj_s_gs_sum;

    // 29:  s_gr[j][i] = g00 * qr + g01 * qs
    adj_g00 += qr * adj_s_gr_sum;
    adj_qr += g00 * adj_s_gr_sum;
    adj_g01 += qs * adj_s_gr_sum;
    adj_qs += g01 * adj_s_gr_sum;

    // 28:  g01 = g[NQ * NQ]
    adj_geo[g_at + 25] += adj_g01;

    // 28:  const float g00 = g[0]
    adj_geo[g_at] += adj_g00;
    adj_qs_tile[j][i] = adj_qs;
    adj_qr_tile[j][i] = adj_qr;
    __syncthreads();
    float adj_s_q_sum = 0.0f;
    float adj_s_q_sum_2 = 0.0f;
    // what the threads along x and y owe to this thread's elements
    #pragma unroll
    for (int m = 0; m < 5; ++m) {
        // 25:  qs += s_d[j][m] * s_q[m][i]
        adj_s_q_sum += s_d[m][j] * adj_qs_tile[m][i];
        // 24:  qr += s_d[i][m] * s_q[j][m]
        adj_s_q_sum_2 += s_d[m][i] * adj_qr_tile[j][m];
    }
    adj_s_q[j][i] += adj_s_q_sum + adj_s_q_sum_2;

    // 18:  s_q[j][i] = q[point]
    adj_q[point] += adj_s_q[j][i];
}
