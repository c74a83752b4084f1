// Adjoint of layernorm_thread, without the warp's sums.  of out, mean, rstd, wrt in, w, b.
//   mean, rstd    recomputed; the sums of the reverse sweep share the pass over the variance
//   adj_in        one thread per row: +=
//   adj_w, adj_b  every row adds to them: one atomic per row and element
extern "C" __global__ void layernorm_thread_adj(
    const float *__restrict__ in, float *__restrict__ adj_in, const float *__restrict__ w,
    float *__restrict__ adj_w, const float *__restrict__ b, float *__restrict__ adj_b,
    float *__restrict__ out, const float *__restrict__ adj_out, float *__restrict__ mean,
    const float *__restrict__ adj_mean, float *__restrict__ rstd, const float *__restrict__ adj_rstd,
    int N, int C)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N)
        return;
    const float *x = in + row * C, *g = adj_out + row * C;
    float *adj_x = adj_in + row * C;

    float per_c = 1.0f / (float)C;
    float m = 0.0f;
    for (int c = 0; c < C; ++c)
        m += x[c];
    m *= per_c;
    float var = 0.0f, sum_g = 0.0f, sum_gx = 0.0f;
    for (int c = 0; c < C; ++c) {
        float d = x[c] - m, gw = g[c] * w[c];
        var += d * d;
        sum_g += gw;
        sum_gx += gw * d;
    }
    float s = rsqrtf(var * per_c + 1e-5f);
    // what every x[c] owes to m and s: level + slope * (x[c] - m) * s
    float level = (adj_mean[row] - s * sum_g) * per_c;
    float slope = -s * s * (sum_gx + adj_rstd[row]) * per_c;
    for (int c = 0; c < C; ++c) {
        // y[c] = (x[c] - m) * s * w[c] + b[c]
        float gc = g[c], xhat = (x[c] - m) * s;
        adj_x[c] += s * w[c] * gc + level + slope * xhat;
        atomicAdd(&adj_w[c], gc * xhat);
        atomicAdd(&adj_b[c], gc);
    }
}
