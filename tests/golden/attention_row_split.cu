// attention_row_adj: adjoint of attention_row (attention_row.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform attention_row.cu --of o --wrt q,k,v --mode split
//
// First launch attention_row_fwd, with the same grid, block and tape: it does what
// attention_row does, and records. Call with q, k and v as they were before
// attention_row. Seed adj_o with dJ/do: it is left alone, because attention_row stores
// each element of o at most once. dJ/dq is added to adj_q; dJ/dk is added to adj_k;
// dJ/dv is added to adj_v. o is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   row                   recomputed                           from values at hand
//   top                   tape_top[keys], global memory        line 26 changes it in
//                                                              each iteration
//   sum (line 15)         tape_sum[keys], global memory        line 23 changes it in
//                                                              each iteration
//   sum (line 15)         tape_sum_2, global memory            a loop computed it, and
//                                                              only the forward kernel
//                                                              runs that
//   k[..], q[..], v[..]   reloaded                             nothing stores to it
//   new_top, shrink, p    recomputed                           from values at hand, in
//                                                              the reversed iteration
//   acc[d]                tape_acc[keys][DIM], global memory   line 25 overwrites it
//   acc[..]               reloaded                             no later store goes to
//                                                              it
//
// How adjoints are added up:
//   adj_q[..]   +=, one owner       each thread has elements of its own
//   adj_k[..]   reduced per block   every thread reads the same k[j * DIM + d]
//   adj_v[..]   reduced per block   every thread reads the same v[j * DIM + d]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of keys * sizeof(float) bytes (tape_top) and keys *
// sizeof(float) bytes (tape_sum) and ((long long)keys * DIM) * sizeof(float) bytes
// (tape_acc) and sizeof(float) bytes (tape_sum_2) per thread, in global memory;
// attention_row_adj_tape_bytes(grid, block, queries, keys, scale) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define DIM 4

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
extern "C" size_t attention_row_adj_tape_bytes(dim3 grid, dim3 block, int queries, int keys,
                                               float scale)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (keys > 0 ? keys : 0) * sizeof(float) + 15) / 16 * 16;  // tape_top
    bytes += (threads * (keys > 0 ? keys : 0) * sizeof(float) + 15) / 16 * 16;  // tape_sum
    // tape_acc
    bytes += (threads * ((long long)(keys > 0 ? keys : 0) * DIM) * sizeof(float) + 15) / 16 * 16;
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_sum_2
    return bytes;
}
#endif

extern "C" __global__ void attention_row_fwd(const float *__restrict__ q,
                                             const float *__restrict__ k,
                                             const float *__restrict__ v, float *__restrict__ o,
                                             int queries, int keys, float scale, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_top = (float *)(tape + at) + thread;
    at += (threads * (keys > 0 ? keys : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_sum = (float *)(tape + at) + thread;
    at += (threads * (keys > 0 ? keys : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_acc = (float *)(tape + at) + thread;
    at += (threads * (keys > 0 ? keys : 0) * DIM * sizeof(float) + 15) / 16 * 16;
    float *tape_sum_2 = (float *)(tape + at) + thread;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= queries)
        return;
    float acc[DIM] = {0.0f};
    float top = -1e30f;
    float sum = 0.0f;
    for (int j = 0; j < keys; ++j) {
        tape_sum[j * threads] = sum;
        tape_top[j * threads] = top;
        float s = 0.0f;
        for (int d = 0; d < DIM; ++d)
            s += q[row * DIM + d] * k[j * DIM + d];
        s *= scale;
        float new_top = fmaxf(top, s);
        float shrink = expf(top - new_top);
        float p = expf(s - new_top);
        sum = sum * shrink + p;
        for (int d = 0; d < DIM; ++d) {
            tape_acc[((size_t)j * DIM + d) * threads] = acc[d];
            acc[d] = acc[d] * shrink + p * v[j * DIM + d];
        }
        top = new_top;
    }
    *tape_sum_2 = sum;
    for (int d = 0; d < DIM; ++d)
        o[row * DIM + d] = acc[d] / sum;
}

extern "C" __global__ void attention_row_adj(const float *__restrict__ q, float *__restrict__ adj_q,
                                             const float *__restrict__ k, float *__restrict__ adj_k,
                                             const float *__restrict__ v, float *__restrict__ adj_v,
                                             float *__restrict__ o, const float *__restrict__ adj_o,
                                             int queries, int keys, float scale, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_top = (float *)(tape + at) + thread;
    at += (threads * (keys > 0 ? keys : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_sum = (float *)(tape + at) + thread;
    at += (threads * (keys > 0 ? keys : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_acc = (float *)(tape + at) + thread;
    at += (threads * (keys > 0 ? keys : 0) * DIM * sizeof(float) + 15) / 16 * 16;
    float *tape_sum_2 = (float *)(tape + at) + thread;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_sum;
    float adj_acc[DIM] = {};
    float adj_top;
    if (row < queries) {
        // ---- forward sweep ------------------------------------------------------

        float acc[DIM] = {0.0f};
        float top = -1e30f;
        for (int j = 0; j < keys; ++j) {
            float s = 0.0f;
            for (int d = 0; d < DIM; ++d)
                s += q[row * DIM + d] * k[j * DIM + d];
            s *= scale;
            float new_top = fmaxf(top, s);
            float shrink = expf(top - new_top);
            float p = expf(s - new_top);
            for (int d = 0; d < DIM; ++d)
                acc[d] = tape_acc[((size_t)j * DIM + d) * threads] * shrink + p * v[j * DIM + d];
            top = new_top;
        }

        // ---- reverse sweep ------------------------------------------------------

        adj_sum = 0.0f;
        for (int d = 0; d < DIM; ++d) {
            // 29:  o[row * DIM + d] = acc[d] / sum
            float g = adj_o[row * DIM + d] / *tape_sum_2;
            adj_acc[d] += g;
            adj_sum -= acc[d] / *tape_sum_2 * g;
        }
        adj_top = 0.0f;
    }
    for (int j = keys - 1; j >= 0; --j) {
        float sum;
        float top;
        float new_top;
        float shrink;
        float p;
        float adj_new_top;
        float adj_p;
        float adj_shrink;
        if (row < queries) {
            sum = tape_sum[j * threads];
            top = tape_top[j * threads];
            float s = 0.0f;
            for (int d = 0; d < DIM; ++d)
                s += q[row * DIM + d] * k[j * DIM + d];
            s *= scale;
            new_top = fmaxf(top, s);
            shrink = expf(top - new_top);
            p = expf(s - new_top);

            // 26:  top = new_top
            adj_new_top = adj_top;
            adj_p = 0.0f;
            adj_shrink = 0.0f;
        }
        for (int d = DIM - 1; d >= 0; --d) {
            float adj_v_sum = 0.0f;
            if (row < queries) {
                // 25:  acc[d] = acc[d] * shrink + p * v[j * DIM + d]
                float g = adj_acc[d];
                adj_shrink += tape_acc[((size_t)j * DIM + d) * threads] * g;
                adj_p += v[j * DIM + d] * g;
                adj_v_sum = p * g;
                adj_acc[d] *= shrink;
            }
            block_add(&adj_v[j * DIM + d], adj_v_sum);
        }
        float adj_s;
        if (row < queries) {
            // 23:  sum = sum * shrink + p
            adj_shrink += sum * adj_sum;
            adj_p += adj_sum;
            adj_sum *= shrink;

            // 22:  float p = expf(s - new_top)
            float g = p * adj_p;
            adj_s = g;
            adj_new_top -= g;

            // 21:  float shrink = expf(top - new_top)
            float g_2 = shrink * adj_shrink;
            adj_top = g_2;
            adj_new_top -= g_2;

            // 20:  float new_top = fmaxf(top, s)
            if (new_top == top)
                adj_top += adj_new_top;
            else
                adj_s += adj_new_top;

            // 19:  s *= scale
            adj_s *= scale;
        }
        for (int d = 0; d < DIM; ++d) {
            float adj_k_sum = 0.0f;
            if (row < queries) {
                // 18:  s += q[row * DIM + d] * k[j * DIM + d]
                adj_q[row * DIM + d] += k[j * DIM + d] * adj_s;
                adj_k_sum = q[row * DIM + d] * adj_s;
            }
            block_add(&adj_k[j * DIM + d], adj_k_sum);
        }
    }
}
