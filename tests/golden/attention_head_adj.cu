// attention_head_adj: adjoint of attention_head (attention_head.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform attention_head.cu --of o --wrt q,k,v
//
// Call with q, k and v as they were before attention_head. Seed adj_o with dJ/do: it is
// left alone, because attention_head stores each element of o at most once. dJ/dq is
// added to adj_q; dJ/dk is added to adj_k; dJ/dv is added to adj_v. o is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   l (line 20)               tape_l_2[(n + TILE - 1) / TILE], global memory          line 33 changes it in
//                                                                                     each iteration
//   m (line 20)               tape_m_2[(n + TILE - 1) / TILE], global memory          line 36 changes it in
//                                                                                     each iteration
//   l (line 20)               reloaded                                                still in its variable
//   m (line 26)               tape_m[16], registers                                   line 36 changes it in
//                                                                                     each iteration
//   l (line 26)               tape_l[16], registers                                   line 33 changes it in
//                                                                                     each iteration
//   j                         inverted                                                each iteration adds 1
//   trips of line 26          trips, a register                                       the loop decides in its
//                                                                                     iterations when it ends
//   ks[..], qi[..], vs[..],   reloaded                                                no later store goes to
//                                                                                     it
//   acc[..]
//   m_new, old, p             recomputed                                              from values at hand, in
//                                                                                     the reversed iteration
//   acc[d]                    tape_acc[(n + TILE - 1) / TILE][16][D], global memory   line 35 overwrites it
//
// How adjoints are added up:
//   adj_q[..]    +=, one owner       each thread has elements of its own
//   adj_k[..]    atomicAdd           every block reads the same k[(j0 + t) * D + d]
//   adj_v[..]    atomicAdd           every block reads the same v[(j0 + t) * D + d]
//   adj_ks[..]   reduced per block   every thread reads the same ks[j][d]
//   adj_vs[..]   reduced per block   every thread reads the same vs[j][d]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of (((long long)n + TILE - 1) / TILE) * sizeof(float) bytes
// (tape_l_2) and (((long long)n + TILE - 1) / TILE) * sizeof(float) bytes (tape_m_2)
// and (((long long)n + TILE - 1) / TILE * 16 * D) * sizeof(float) bytes (tape_acc) per
// thread, in global memory; attention_head_adj_tape_bytes(grid, block, n) says how many
// in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TILE 16
#define D 4

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t attention_head_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_l_2
    bytes += (threads
              * (((long long)n + TILE - 1) / TILE > 0 ? ((long long)n + TILE - 1) / TILE : 0)
              * sizeof(float) + 15) / 16 * 16;
    // tape_m_2
    bytes += (threads
              * (((long long)n + TILE - 1) / TILE > 0 ? ((long long)n + TILE - 1) / TILE : 0)
              * sizeof(float) + 15) / 16 * 16;
    // tape_acc
    bytes += (threads
              * ((((long long)n + TILE - 1) / TILE > 0 ? ((long long)n + TILE - 1) / TILE : 0) * 16
                 * D) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void attention_head_adj(const float *__restrict__ q,
                                              float *__restrict__ adj_q,
                                              const float *__restrict__ k,
                                              float *__restrict__ adj_k,
                                              const float *__restrict__ v,
                                              float *__restrict__ adj_v,
                                              float *__restrict__ o,
                                              const float *__restrict__ adj_o, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_l_2 = (float *)(tape + at) + thread;
    at += (threads * ((n + TILE - 1) / TILE > 0 ? (n + TILE - 1) / TILE : 0) * sizeof(float) + 15)
          / 16 * 16;
    float *tape_m_2 = (float *)(tape + at) + thread;
    at += (threads * ((n + TILE - 1) / TILE > 0 ? (n + TILE - 1) / TILE : 0) * sizeof(float) + 15)
          / 16 * 16;
    float *tape_acc = (float *)(tape + at) + thread;
    __shared__ float ks[TILE][D];
    __shared__ float adj_ks[TILE][D];
    __shared__ float vs[TILE][D];
    __shared__ float adj_vs[TILE][D];
    for (int q = threadIdx.x; q < TILE * D; q += blockDim.x)
        adj_ks[q / D][q % D] = 0.0f;
    for (int q = threadIdx.x; q < TILE * D; q += blockDim.x)
        adj_vs[q / D][q % D] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * TILE + t;
    float qi[D];
    float acc[D];
    for (int d = 0; d < D; ++d) {
        qi[d] = i < n ? q[i * D + d] : 0.0f;
        acc[d] = 0.0f;
    }
    float m = -1e30f;
    float l = 0.0f;
    for (int j0 = 0; j0 < n; j0 += TILE) {
        tape_l_2[j0 / TILE * threads] = l;
        tape_m_2[j0 / TILE * threads] = m;
        for (int d = 0; d < D; ++d) {
            ks[t][d] = j0 + t < n ? k[(j0 + t) * D + d] : 0.0f;
            vs[t][d] = j0 + t < n ? v[(j0 + t) * D + d] : 0.0f;
        }
        __syncthreads();
        int trips = 0;
        for (int j = 0; j < TILE && j0 + j < n; ++j) {
            float s = 0.0f;
            for (int d = 0; d < D; ++d)
                s += qi[d] * ks[j][d];
            float m_new = fmaxf(m, s);
            float old = expf(m - m_new);
            float p = expf(s - m_new);
            l = l * old + p;
            for (int d = 0; d < D; ++d) {
                tape_acc[(((size_t)(j0 / TILE) * 16 + trips) * D + d) * threads] = acc[d];
                acc[d] = acc[d] * old + p * vs[j][d];
            }
            m = m_new;
            ++trips;
        }
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_l = 0.0f;
    float adj_acc[D] = {};
    if (i < n) {
        float per_l = 1.0f / l;
        for (int d = 0; d < D; ++d) {
            // 42:  o[i * D + d] = acc[d] / l
            float g = adj_o[i * D + d] * per_l;
            adj_acc[d] += g;
            adj_l -= acc[d] * per_l * g;
        }
    }
    float adj_qi[D] = {};
    float adj_m = 0.0f;
    for (int j0 = (n + 15) / TILE * TILE - 16; j0 >= 0; j0 -= TILE) {
        float l = tape_l_2[j0 / TILE * threads];
        float m = tape_m_2[j0 / TILE * threads];
        for (int d = 0; d < D; ++d) {
            ks[t][d] = j0 + t < n ? k[(j0 + t) * D + d] : 0.0f;
            vs[t][d] = j0 + t < n ? v[(j0 + t) * D + d] : 0.0f;
        }
        __syncthreads();
        int trips = 0;
        float tape_l[16];
        float tape_m[16];
        for (int j = 0; j < TILE && j0 + j < n; ++j) {
            tape_l[trips] = l;
            tape_m[trips] = m;
            float s = 0.0f;
            for (int d = 0; d < D; ++d)
                s += qi[d] * ks[j][d];
            float m_new = fmaxf(m, s);
            float old = expf(m - m_new);
            float p = expf(s - m_new);
            l = l * old + p;
            m = m_new;
            ++trips;
        }
        for (int trip = trips - 1; trip >= 0; --trip) {
            float l = tape_l[trip];
            float m = tape_m[trip];
            float s = 0.0f;
            for (int d = 0; d < D; ++d)
                s += qi[d] * ks[trip][d];
            float m_new = fmaxf(m, s);
            float old = expf(m - m_new);
            float p = expf(s - m_new);

            // 36:  m = m_new
            float adj_m_new = adj_m;
            float adj_p = 0.0f;
            float adj_old = 0.0f;
            for (int d = D - 1; d >= 0; --d) {
                // 35:  acc[d] = acc[d] * old + p * vs[j][d]
                float g = adj_acc[d];
                adj_old += tape_acc[(((size_t)(j0 / TILE) * 16 + trip) * D + d) * threads] * g;
                adj_p += vs[trip][d] * g;
                block_add(&adj_vs[trip][d], p * g);
                adj_acc[d] *= old;
            }

            // 33:  l = l * old + p
            adj_old += l * adj_l;
            adj_p += adj_l;
            adj_l *= old;

            // 32:  float p = expf(s - m_new)
            float g = p * adj_p;
            float adj_s = g;
            adj_m_new -= g;

            // 31:  float old = expf(m - m_new)
            float g_2 = old * adj_old;
            adj_m = g_2;
            adj_m_new -= g_2;

            // 30:  float m_new = fmaxf(m, s)
            if (m_new == m)
                adj_m += adj_m_new;
            else
                adj_s += adj_m_new;
            for (int d = 0; d < D; ++d) {
                // 29:  s += qi[d] * ks[j][d]
                adj_qi[d] += ks[trip][d] * adj_s;
                block_add(&adj_ks[trip][d], qi[d] * adj_s);
            }
        }
        __syncthreads();
        for (int d = D - 1; d >= 0; --d) {
            // 23:  vs[t][d] = j0 + t < n ? v[(j0 + t) * D + d] : 0.0f
            if (j0 + t < n)
                atomicAdd(&adj_v[(j0 + t) * D + d], adj_vs[t][d]);
            adj_vs[t][d] = 0.0f;

            // 22:  ks[t][d] = j0 + t < n ? k[(j0 + t) * D + d] : 0.0f
            if (j0 + t < n)
                atomicAdd(&adj_k[(j0 + t) * D + d], adj_ks[t][d]);
            adj_ks[t][d] = 0.0f;
        }
    }
    for (int d = D - 1; d >= 0; --d) {
        // 15:  qi[d] = i < n ? q[i * D + d] : 0.0f
        if (i < n)
            adj_q[i * D + d] += adj_qi[d];
    }
}
