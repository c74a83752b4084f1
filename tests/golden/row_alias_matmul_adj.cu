// row_alias_matmul_adj: adjoint of row_alias_matmul (row_alias_matmul.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform row_alias_matmul.cu --of C --wrt A,B
//
// Call with A and B as they were before row_alias_matmul. Seed adj_C with dJ/dC: it is
// left alone, because row_alias_matmul stores each element of C at most once. dJ/dA is
// added to adj_A; dJ/dB is added to adj_B. C is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s              reloaded   still in its variable
//   B[..], A[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_A[..]   summed, then atomicAdd   threads that differ in blockIdx.x and
//                                        threadIdx.x only read the same row[l]
//   adj_B[..]   summed, then atomicAdd   threads that differ in blockIdx.y and
//                                        threadIdx.y only read the same column[l * n]
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

extern "C" __global__ void row_alias_matmul_adj(const float *__restrict__ A,
                                                float *__restrict__ adj_A,
                                                const float *__restrict__ B,
                                                float *__restrict__ adj_B,
                                                float *__restrict__ C,
                                                const float *__restrict__ adj_C, int m, int n,
                                                int k)
{
    __shared__ float adj_s_tile[1024];
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m && j < n) {
        // ---- forward sweep ------------------------------------------------------

        float s = 0.0f;
        for (int l = 0; l < k; ++l)
            s += A[i * k + l] * B[j + l * n];

        // ---- reverse sweep ------------------------------------------------------

        // 16:  out[j] = tanhf(s)
        float r = tanhf(s);
        adj_s_tile[threadIdx.y * blockDim.x + threadIdx.x] = (1.0f - r * r) * adj_C[i * n + j];
    }
    __syncthreads();
    // what the threads along x owe, added up before it is added
    for (int l = threadIdx.x; l < k; l += (int)blockDim.x) {
        // 14:  s += row[l] * column[l * n]
        float adj_A_sum = 0.0f;
        for (int q = 0; q < blockDim.x; ++q) {
            int j_there = blockIdx.x * blockDim.x + q;
            if (i < m && j_there < n)
                adj_A_sum += B[j_there + l * n] * adj_s_tile[threadIdx.y * blockDim.x + q];
        }
        if (adj_A_sum != 0.0f)
            atomicAdd(&adj_A[i * k + l], adj_A_sum);
    }
    // what the threads along y owe, added up before it is added
    for (int l = threadIdx.y; l < k; l += (int)blockDim.y) {
        float adj_B_sum = 0.0f;
        for (int q = 0; q < blockDim.y; ++q) {
            int i_there = blockIdx.y * blockDim.y + q;
            if (i_there < m && j < n)
                adj_B_sum += A[i_there * k + l] * adj_s_tile[q * blockDim.x + threadIdx.x];
        }
        if (adj_B_sum != 0.0f)
            atomicAdd(&adj_B[j + l * n], adj_B_sum);
    }
}
