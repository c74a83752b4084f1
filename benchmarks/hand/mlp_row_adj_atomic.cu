// Adjoint of mlp_row, without shared memory.  of y, wrt W, b, x.
//   z                    recomputed; y = tanhf(z) gives the partial 1 - y^2
//   adj_W, adj_b, adj_x  shared by the threads of a column or a row: one atomic per product
#define TILE 16

extern "C" __global__ void mlp_row_adj(const float *__restrict__ W, float *__restrict__ adj_W,
                                       const float *__restrict__ b, float *__restrict__ adj_b,
                                       const float *__restrict__ x, float *__restrict__ adj_x,
                                       float *__restrict__ y, const float *__restrict__ adj_y,
                                       int rows, int n_in, int n_out)
{
    int o = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
    if (o >= n_out || r >= rows)
        return;
    float z = b[o];
    for (int i = 0; i < n_in; ++i)
        z += W[i * n_out + o] * x[r * n_in + i];
    // y[r * n_out + o] = tanhf(z)
    float t = tanhf(z);
    float g = (1.0f - t * t) * adj_y[r * n_out + o];
    // z = b[o]
    atomicAdd(&adj_b[o], g);
    // z += W[i * n_out + o] * x[r * n_in + i]
    for (int i = 0; i < n_in; ++i) {
        atomicAdd(&adj_W[i * n_out + o], x[r * n_in + i] * g);
        atomicAdd(&adj_x[r * n_in + i], W[i * n_out + o] * g);
    }
}
