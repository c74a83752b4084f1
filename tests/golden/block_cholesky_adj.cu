// block_cholesky_adj: adjoint of block_cholesky (block_cholesky.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_cholesky.cu --of a --wrt a
//
// Call with a as it was before block_cholesky. adj_a comes in as dJ/da after
// block_cholesky and goes out as dJ/da before it, element by element. a is only read.
//
// What the reverse sweep needs, and where it finds it:
//   l[k][k] (line 14)   tape_l[N], registers     line 14 overwrites it
//   l[k][k] (line 17)   tape_l_2[N], registers   line 17 overwrites it
//   l[i][k] (line 17)   tape_l_3[N], registers   line 17 overwrites it
//   l[j][k]             tape_l_4[N], registers   line 20 overwrites it
//   l[i][k] (line 20)   tape_l_5[N], registers   line 20 overwrites it
//
// How adjoints are added up:
//   adj_a[..]   +=, one owner   one thread per element
//   adj_l[..]   +=, by phase    between two barriers one thread per element
//   adj_l[..]   atomicAdd       every thread reads the same l[k][k]
//   adj_l[..]   atomicAdd       threads that differ in threadIdx.x only read the same
//                               l[i][k]
//   adj_l[..]   atomicAdd       not proved that two threads never meet in l[i][k] and
//                               l[j][k]
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

#define N 6

extern "C" __global__ void block_cholesky_adj(float *__restrict__ a, float *__restrict__ adj_a,
                                              int count)
{
    __shared__ float l[N][N];
    __shared__ float adj_l[N][N];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < N * N; q += blockDim.x * blockDim.y)
        adj_l[q / N][q % N] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = threadIdx.y;
    int j = threadIdx.x;
    int base = blockIdx.x * N * N;
    l[i][j] = a[base + i * N + j];
    __syncthreads();
    float tape_l[N];
    float tape_l_2[N];
    float tape_l_3[N];
    float tape_l_4[N];
    float tape_l_5[N];
    for (int k = 0; k < N; ++k) {
        if (i == k && j == k) {
            tape_l[k] = l[k][k];
            l[k][k] = sqrtf(l[k][k]);
        }
        __syncthreads();
        if (i > k && j == k) {
            tape_l_2[k] = l[k][k];
            tape_l_3[k] = l[i][k];
            l[i][k] = l[i][k] / l[k][k];
        }
        __syncthreads();
        if (i > k && j > k && j <= i) {
            tape_l_4[k] = l[j][k];
            tape_l_5[k] = l[i][k];
            l[i][j] -= l[i][k] * l[j][k];
        }
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    // 23:  a[base + i * N + j] = j <= i ? l[i][j] : 0.0f
    if (j <= i)
        adj_l[i][j] += adj_a[base + i * N + j];
    adj_a[base + i * N + j] = 0.0f;
    for (int k = N - 1; k >= 0; --k) {
        __syncthreads();
        if (i > k && j > k && j <= i) {
            // 20:  l[i][j] -= l[i][k] * l[j][k]
            float g = adj_l[i][j];
            atomicAdd(&adj_l[i][k], -tape_l_4[k] * g);
            atomicAdd(&adj_l[j][k], -tape_l_5[k] * g);
        }
        __syncthreads();
        if (i > k && j == k) {
            // 17:  l[i][k] = l[i][k] / l[k][k]
            float l_was = tape_l_2[k];
            float g = adj_l[i][k] / l_was;
            adj_l[i][k] = g;
            atomicAdd(&adj_l[k][k], -tape_l_3[k] / l_was * g);
        }
        __syncthreads();
        if (i == k && j == k) {
            // 14:  l[k][k] = sqrtf(l[k][k])
            float g = adj_l[k][k];
            adj_l[k][k] = 0.0f;
            if (g != 0.0f)
                adj_l[k][k] += 0.5f * g * rsqrtf(tape_l[k]);
        }
    }
    __syncthreads();

    // 10:  l[i][j] = a[base + i * N + j]
    adj_a[base + i * N + j] += adj_l[i][j];
}
