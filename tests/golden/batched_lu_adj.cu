// lu_adj: adjoint of lu (batched_lu.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform batched_lu.cu --of A --wrt A
//
// Call with A as it was before lu. adj_A comes in as dJ/dA after lu and goes out as
// dJ/dA before it, element by element. A is only read.
//
// What the reverse sweep needs, and where it finds it:
//   m[k][k]             tape_m[N - 1], registers           line 13 overwrites it
//   m[t][k] (line 13)   tape_m_2[N - 1], registers         line 13 overwrites it
//   m[k][j]             tape_m_3[N - 1][N], local memory   line 17 overwrites it
//   m[t][k] (line 17)   tape_m_4[N - 1][N], local memory   line 17 overwrites it
//
// How adjoints are added up:
//   adj_A[..]   +=, one owner   one thread per element, the one that stores
//                               A[(blockIdx.x * N + k) * N + t]
//   adj_m[..]   +=, by phase    between two barriers one thread per element
//   adj_m[..]   atomicAdd       every thread reads the same m[k][k]
//   adj_m[..]   atomicAdd       every thread reads the same m[k][j]
//
// Assumed: the launch is 1-D, no two threads store the same A[(blockIdx.x * N + k) * N
// + t], arrays don't overlap, no index wraps.

#define N 8

__global__ void lu_adj(float *__restrict__ A, float *__restrict__ adj_A, int batch)
{
    __shared__ float m[N][N + 1];
    __shared__ float adj_m[N][N + 1];
    for (int q = threadIdx.x; q < N * (N + 1); q += blockDim.x)
        adj_m[q / (N + 1)][q % (N + 1)] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    for (int k = 0; k < N; ++k)
        m[k][t] = A[(blockIdx.x * N + k) * N + t];
    __syncthreads();
    float tape_m[N - 1];
    float tape_m_2[N - 1];
    float tape_m_3[N - 1][N];
    float tape_m_4[N - 1][N];
    for (int k = 0; k < N - 1; ++k) {
        if (t > k) {
            tape_m[k] = m[k][k];
            tape_m_2[k] = m[t][k];
            m[t][k] = m[t][k] / m[k][k];
        }
        __syncthreads();
        if (t > k)
            for (int j = k + 1; j < N; ++j) {
                tape_m_3[k][j - (k + 1)] = m[k][j];
                tape_m_4[k][j - (k + 1)] = m[t][k];
                m[t][j] = m[t][j] - m[t][k] * m[k][j];
            }
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int k = 0; k < N; ++k) {
        // 21:  A[(blockIdx.x * N + k) * N + t] = m[k][t]
        adj_m[k][t] += adj_A[(blockIdx.x * N + k) * N + t];
        adj_A[(blockIdx.x * N + k) * N + t] = 0.0f;
    }
    for (int k = N - 2; k >= 0; --k) {
        __syncthreads();
        if (t > k)
            for (int j = N - 1; j >= k + 1; --j) {
                // 17:  m[t][j] = m[t][j] - m[t][k] * m[k][j]
                float g = adj_m[t][j];
                adj_m[t][k] -= tape_m_3[k][j - (k + 1)] * g;
                atomicAdd(&adj_m[k][j], -tape_m_4[k][j - (k + 1)] * g);
            }
        __syncthreads();
        if (t > k) {
            // 13:  m[t][k] = m[t][k] / m[k][k]
            float m_was = tape_m[k];
            float g = adj_m[t][k] / m_was;
            adj_m[t][k] = g;
            atomicAdd(&adj_m[k][k], -tape_m_2[k] / m_was * g);
        }
    }
    __syncthreads();
    for (int k = N - 1; k >= 0; --k) {
        // 9:  m[k][t] = A[(blockIdx.x * N + k) * N + t]
        adj_A[(blockIdx.x * N + k) * N + t] += adj_m[k][t];
        adj_m[k][t] = 0.0f;
    }
}
