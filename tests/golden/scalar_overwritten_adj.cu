// scalar_overwritten_adj: adjoint of scalar_overwritten (scalar_overwritten.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scalar_overwritten.cu --of y --wrt x,a,b
//
// Call with x as it was before scalar_overwritten. Seed adj_y with dJ/dy: it is left
// alone, because scalar_overwritten stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/da is added to adj_a; dJ/db is added to adj_b. y is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]           reloaded                         nothing stores to it
//   b (line 9)      db_da, db_db0, carried forward   line 10 changes it in each
//                                                    iteration, and inputs are few
//   b (line 9), a   reloaded                         still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_a       reduced per block   every thread has its share in it
//   adj_b       reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

extern "C" __global__ void scalar_overwritten_adj(const float *x, float *adj_x,
                                                  float a, float *adj_a,
                                                  float b, float *adj_b,
                                                  float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_a_sum = 0.0f;
    float adj_b_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float a_2 = a;
        float b_2 = b;
        a_2 = a_2 * x[i];
        float db_da = 0.0f;
        float db_db0 = 1.0f;
        for (int k = 0; k < 3; ++k) {
            float slope = 2.0f * b_2;
            db_da = slope * db_da + 1.0f;
            db_db0 *= slope;
            b_2 = b_2 * b_2 + a_2;
        }
        a_2 += sinf(b_2);

        // ---- reverse sweep ------------------------------------------------------

        // 12:  y[i] = a * b
        float g = adj_y[i];
        adj_a_sum = b_2 * g;
        adj_b_sum = a_2 * g;

        // 11:  a += sinf(b)
        adj_b_sum += cosf(b_2) * adj_a_sum;

        // 9:  for (int k = 0; k < 3; ++k)
        // its tangents, carried along, are what it owes
        adj_a_sum += db_da * adj_b_sum;
        adj_b_sum *= db_db0;

        // 8:  a = a * x[i]
        adj_x[i] += a * adj_a_sum;
        adj_a_sum *= x[i];
    }
    block_add(adj_a, adj_a_sum);
    block_add(adj_b, adj_b_sum);
}
