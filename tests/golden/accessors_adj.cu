// accessors_adj: adjoint of accessors (accessors.cu:18).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform accessors.cu --of y --wrt x,turn
//
// Call with x and turn as they were before accessors. Seed adj_y with dJ/dy: it is left
// alone, because accessors stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dturn is added to adj_turn. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   turn[..], x[..]   reloaded                     nothing stores to it
//   m.rows_.e[..],    reloaded                     no later store goes to it
//   sums.e[..]
//   m(1, 2)           tape_m_rows__e, a register   line 28 overwrites it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       each thread has elements of its own
//   adj_turn[..]   reduced per block   every thread reads the same turn[c]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Row_3 {
    float e[3];
};
struct Matrix_2_3 {
    Row_3 rows_[2];
};
struct Row_2 {
    float e[2];
};

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

extern "C" __global__ void accessors_adj(const float *x, float *adj_x,
                                         const float *turn, float *adj_turn,
                                         float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Matrix_2_3 m;
    Matrix_2_3 adj_m = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        for (int c = 0; c < 3; ++c) {
            m.rows_[0].e[c] = x[3 * i + c] * turn[c];
            m.rows_[1].e[c] = sinf(m.rows_[0].e[c]);
        }
        float tape_m_rows__e = m.rows_[1].e[2];
        m.rows_[1].e[2] *= m.rows_[0].e[n % 3];
        Row_2 sums;
        sums.e[0] = 0.0f;
        sums.e[1] = 1.0f;
        for (int k = 0; k < 2; ++k)
            for (int c = 0; c < 3; ++c)
                sums.e[k] = sums.e[k] * 0.5f + m.rows_[k].e[c] * m.rows_[k].e[2];

        // ---- reverse sweep ------------------------------------------------------

        Row_2 adj_sums = {};

        // 33:  y[i] = sums[0] * sums[1]
        float g = adj_y[i];
        adj_sums.e[0] += sums.e[1] * g;
        adj_sums.e[1] += sums.e[0] * g;
        for (int k = 1; k >= 0; --k)
            for (int c = 2; c >= 0; --c) {
                // 32:  sums[k] = sums[k] * 0.5f + m(k, c) * m.row(k)[2]
                float g = adj_sums.e[k];
                adj_m.rows_[k].e[c] += m.rows_[k].e[2] * g;
                adj_m.rows_[k].e[2] += m.rows_[k].e[c] * g;
                adj_sums.e[k] *= 0.5f;
            }

        // 28:  m(1, 2) *= m(0, n % 3)
        float g_2 = adj_m.rows_[1].e[2];
        adj_m.rows_[1].e[2] = m.rows_[0].e[n % 3] * g_2;
        adj_m.rows_[0].e[n % 3] += tape_m_rows__e * g_2;
    }
    for (int c = 2; c >= 0; --c) {
        float adj_turn_sum = 0.0f;
        if (i < n) {
            // 26:  m.row(1)[c] = sinf(m(0, c))
            adj_m.rows_[0].e[c] += cosf(m.rows_[0].e[c]) * adj_m.rows_[1].e[c];

            // 25:  m(0, c) = x[3 * i + c] * turn[c]
            float g = adj_m.rows_[0].e[c];
            adj_x[3 * i + c] += turn[c] * g;
            adj_turn_sum = x[3 * i + c] * g;
        }
        block_add(&adj_turn[c], adj_turn_sum);
    }
}
