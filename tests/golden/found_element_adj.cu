// found_element_adj: adjoint of found_element (found_element.cu:27).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform found_element.cu --of out,link --wrt pair,out
//
// Call with pair and ok as they were before found_element. Seed adj_link with dJ/dlink:
// it is left alone, because found_element stores each element of link at most once.
// adj_out comes in as dJ/dout after found_element and goes out as dJ/dout before it,
// element by element. dJ/dpair is added to adj_pair. out and link are neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   t, x (line 38), s    reloaded     still in its variable
//   pair[..]             reloaded     nothing stores to it
//   both, x (line 42),   recomputed   from values at hand, in the reversed iteration
//   folds_value5
//
// How adjoints are added up:
//   adj_pair[..]   reduced per block   every thread reads *q, p[0] and p[1]
//   adj_pair[..]   atomicAdd           other threads add to pair[i * n + j], pair[(j -
//                                      1) * n + j], pair[(j - 1) * n + j + 1], pair[(i
//                                      - 1) * n + i] and others too
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

__global__ void found_element_adj(float *__restrict__ pair, float *__restrict__ adj_pair,
                                  const int *__restrict__ ok,
                                  float *out, float *adj_out,
                                  float *link, const float *adj_link, int n)
{
    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.25f;
    int j = n - 1;
    int folds_value;
    if (i >= 0 && i < n && j >= 0 && j < n && i != j)
        folds_value = ok[i * n + j];
    else
        folds_value = 0;
    if (folds_value) {
        const float t = pair[i * n + (n - 1)] * pair[i * n + (n - 1)];
        s = 0.5f * s + sinf(t);
    }
    if (i != 0 && i < n) {
        int i_2 = i - 1;
        int folds_value2;
        if (i_2 >= 0 && i_2 < n && i >= 0 && i < n && i_2 != i)
            folds_value2 = ok[i_2 * n + i];
        else
            folds_value2 = 0;
        if (folds_value2) {
            const float x = pair[(i - 1) * n + i] * pair[(i - 1) * n + i + n];
            s = 0.5f * s + sinf(x);
        }
    }
    for (int j = 0; j < n - 1; j++) {
        int folds_value3;
        if (i >= 0 && i < n && j >= 0 && j < n && i != j)
            folds_value3 = ok[i * n + j];
        else
            folds_value3 = 0;
        bool both = folds_value3;
        if (both) {
            int j_2 = n - 1;
            int folds_value4;
            if (j >= 0 && j < n && j_2 >= 0 && j_2 < n && j != j_2)
                folds_value4 = ok[j * n + j_2];
            else
                folds_value4 = 0;
            both = folds_value4;
        }
        if (both) {
            const float x = pair[i * n + j] * pair[j * n + (n - 1)];
            s = 0.5f * s + sinf(x);
        } else if (j == i) {
            int i = j - 1;
            int folds_value5;
            if (i >= 0 && i < n && j >= 0 && j < n && i != j)
                folds_value5 = ok[i * n + j];
            else
                folds_value5 = 0;
            if (folds_value5)
                s += pair[(j - 1) * n + j] * pair[(j - 1) * n + j + 1];
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    if (!(i >= n)) {
        // 51:  *l = s * s
        adj_s += 2.0f * s * adj_link[i];
    }
    if (!(i >= n) && i % 2 == 0) {
        // 48:  *o += s
        adj_s += adj_out[i];
    }
    for (int j_2 = n - 2; j_2 >= 0; --j_2) {
        int folds_value3;
        if (i >= 0 && i < n && j_2 >= 0 && j_2 < n && i != j_2)
            folds_value3 = ok[i * n + j_2];
        else
            folds_value3 = 0;
        bool both = folds_value3;
        if (both) {
            int j = n - 1;
            int folds_value4;
            if (j_2 >= 0 && j_2 < n && j >= 0 && j < n && j_2 != j)
                folds_value4 = ok[j_2 * n + j];
            else
                folds_value4 = 0;
            both = folds_value4;
        }
        float adj_pair_sum = 0.0f;
        if (both) {
            const float x = pair[i * n + j_2] * pair[j_2 * n + (n - 1)];

            // 24:  *sum = 0.5f * *sum + sinf(x)
            float adj_x = cosf(x) * adj_s;
            adj_s *= 0.5f;

            // 42:  add(&s, *p * *q)
            atomicAdd(&adj_pair[i * n + j_2], pair[j_2 * n + (n - 1)] * adj_x);
            adj_pair_sum = pair[i * n + j_2] * adj_x;
        } else if (j_2 == i) {
            int i = j_2 - 1;
            int folds_value5;
            if (i >= 0 && i < n && j_2 >= 0 && j_2 < n && i != j_2)
                folds_value5 = ok[i * n + j_2];
            else
                folds_value5 = 0;
            if (folds_value5) {
                // 44:  s += p[0] * p[1]
                atomicAdd(&adj_pair[(j_2 - 1) * n + j_2], pair[(j_2 - 1) * n + j_2 + 1] * adj_s);
                atomicAdd(&adj_pair[(j_2 - 1) * n + j_2 + 1], pair[(j_2 - 1) * n + j_2] * adj_s);
            }
        }
        block_add(&adj_pair[j_2 * n + (n - 1)], adj_pair_sum);
    }
    if (i != 0 && i < n) {
        int i_2 = i - 1;
        int folds_value2;
        if (i_2 >= 0 && i_2 < n && i >= 0 && i < n && i_2 != i)
            folds_value2 = ok[i_2 * n + i];
        else
            folds_value2 = 0;
        if (folds_value2) {
            const float x = pair[(i - 1) * n + i] * pair[(i - 1) * n + i + n];

            // 24:  *sum = 0.5f * *sum + sinf(x)
            float adj_x = cosf(x) * adj_s;
            adj_s *= 0.5f;

            // 38:  add(&s, p[0] * p[n])
            atomicAdd(&adj_pair[(i - 1) * n + i], pair[(i - 1) * n + i + n] * adj_x);
            atomicAdd(&adj_pair[(i - 1) * n + i + n], pair[(i - 1) * n + i] * adj_x);
        }
    }
    if (folds_value) {
        const float t = pair[i * n + (n - 1)] * pair[i * n + (n - 1)];
        // 34:  const float t = *p * *p
        atomicAdd(&adj_pair[i * n + (n - 1)], 2.0f * pair[i * n + (n - 1)] * cosf(t) * adj_s);
    }
}
