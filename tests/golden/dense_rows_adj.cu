// dense_rows_adj: adjoint of dense_rows (dense_rows.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform dense_rows.cu --of y --wrt weight,bias,scale,x
//
// Call with weight, bias, scale and x as they were before dense_rows. Seed adj_y with
// dJ/dy: it is left alone, because dense_rows stores each element of y at most once.
// dJ/dweight is added to adj_weight; dJ/dbias is added to adj_bias; dJ/dscale is added
// to adj_scale; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   gain, z             reloaded   still in its variable
//   x[..], weight[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_bias[..]     summed, then atomicAdd   threads that differ in blockIdx.y and
//                                             threadIdx.y only read the same bias[o]
//   adj_scale[..]    summed, then atomicAdd   threads that differ in blockIdx.x and
//                                             threadIdx.x only read the same scale[r]
//   adj_weight[..]   summed, then atomicAdd   threads that differ in blockIdx.y and
//                                             threadIdx.y only read the same weight[i *
//                                             outputs + o]
//   adj_x[..]        summed, then atomicAdd   threads that differ in blockIdx.x and
//                                             threadIdx.x only read the same x[r *
//                                             inputs + i]
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

#define TILE 8

extern "C" __global__ void dense_rows_adj(const float *__restrict__ weight,
                                          float *__restrict__ adj_weight,
                                          const float *__restrict__ bias,
                                          float *__restrict__ adj_bias,
                                          const float *__restrict__ scale,
                                          float *__restrict__ adj_scale,
                                          const float *__restrict__ x, float *__restrict__ adj_x,
                                          float *__restrict__ y, const float *__restrict__ adj_y,
                                          int rows, int inputs, int outputs)
{
    __shared__ float adj_z_tile[1024];
    __shared__ float adj_scale_owed_tile[1024];
    int o = blockIdx.x * TILE + threadIdx.x;
    int r = blockIdx.y * TILE + threadIdx.y;
    if (o < outputs && r < rows) {
        // ---- forward sweep ------------------------------------------------------

        float z = bias[o];
        float gain = expf(scale[r]);
        for (int i = 0; i < inputs; ++i)
            z += weight[i * outputs + o] * sinf(x[r * inputs + i]);

        // ---- reverse sweep ------------------------------------------------------

        // 17:  y[r * outputs + o] = gain * tanhf(z)
        float g = adj_y[r * outputs + o];
        float r = tanhf(z);
        adj_z_tile[threadIdx.y * blockDim.x + threadIdx.x] = gain * (1.0f - r * r) * g;
        adj_scale_owed_tile[threadIdx.y * blockDim.x + threadIdx.x] = gain * r * g;
    }
    __syncthreads();
    // what the threads along y owe, added up before it is added
    for (int i = threadIdx.y; i < inputs; i += (int)blockDim.y) {
        // 16:  z += weight[i * outputs + o] * sinf(x[r * inputs + i])
        float adj_weight_sum = 0.0f;
        for (int q = 0; q < blockDim.y; ++q) {
            int r_there = blockIdx.y * TILE + q;
            if (o < outputs && r_there < rows)
                adj_weight_sum += sinf(x[r_there * inputs + i])
                                  * adj_z_tile[q * blockDim.x + threadIdx.x];
        }
        if (adj_weight_sum != 0.0f)
            atomicAdd(&adj_weight[i * outputs + o], adj_weight_sum);
    }
    // what the threads along x owe, added up before it is added
    for (int i = threadIdx.x; i < inputs; i += (int)blockDim.x) {
        float adj_x_sum = 0.0f;
        for (int q = 0; q < blockDim.x; ++q) {
            int o_there = blockIdx.x * TILE + q;
            if (o_there < outputs && r < rows)
                adj_x_sum += weight[i * outputs + o_there] * cosf(x[r * inputs + i])
                             * adj_z_tile[threadIdx.y * blockDim.x + q];
        }
        if (adj_x_sum != 0.0f)
            atomicAdd(&adj_x[r * inputs + i], adj_x_sum);
    }
    // what the threads along x owe, added up before it is added
    if (threadIdx.x == 0) {
        // 14:  float gain = expf(scale[r])
        float adj_scale_sum = 0.0f;
        for (int q = 0; q < blockDim.x; ++q)
            if ((int)(blockIdx.x * TILE + q) < outputs && r < rows)
                adj_scale_sum += adj_scale_owed_tile[threadIdx.y * blockDim.x + q];
        if (adj_scale_sum != 0.0f)
            atomicAdd(&adj_scale[r], adj_scale_sum);
    }
    // what the threads along y owe, added up before it is added
    if (threadIdx.y == 0) {
        // 13:  float z = bias[o]
        float adj_bias_sum = 0.0f;
        for (int q = 0; q < blockDim.y; ++q)
            if (o < outputs && (int)(blockIdx.y * TILE + q) < rows)
                adj_bias_sum += adj_z_tile[q * blockDim.x + threadIdx.x];
        if (adj_bias_sum != 0.0f)
            atomicAdd(&adj_bias[o], adj_bias_sum);
    }
}
