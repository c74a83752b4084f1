// class_assigned_adj: adjoint of class_assigned (class_assigned.cu:33).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform class_assigned.cu --of y --wrt x,w
//
// Call with x and w as they were before class_assigned. Seed adj_y with dJ/dy: it is
// left alone, because class_assigned stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum.b, sum.a           reloaded     still in its variable
//   b, self.a (line 10),   recomputed   from values at hand, in the reversed iteration
//   self.b (line 11),
//   s (line 41),
//   self.a (line 41),
//   self.b (line 41)
//   x[..], w[..]           reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]   reduced per block   every thread reads w[M - 1 - k], w[k] and w[0]
//   adj_x[..]   +=, one owner       each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define M 8

struct Pair {
    float a, b;
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

static __device__ void made_float_adj(float a, float *adj_a,
                                      float b, float *adj_b, float adj_made_float)
{
    // 30:  return a - b
    *adj_a += adj_made_float;
    *adj_b -= adj_made_float;
}

__global__ void class_assigned_adj(const float *x, float *adj_x,
                                   const float *w, float *adj_w,
                                   float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_b = 0.0f;
    Pair adj_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        Pair self;
        self.a = 0.0f;
        Pair sum = {self.a, 1.0f};
        for (int k = 0; k < M; ++k) {
            float b = w[M - 1 - k];
            Pair self;
            self.a = x[i * M + k] * b;
            self.b = b;
            float s = x[(i + 1) * M - 1 - k];
            Pair self_2;
            self_2.a = self.a * s;
            self_2.b = self.b * s;
            float s_2 = w[k];
            Pair self_3;
            self_3.a = self_2.a * s_2;
            self_3.b = self_2.b * s_2;
            Pair term = self_3;
            Pair self_4;
            self_4.a = sum.a + term.a;
            self_4.b = sum.b + term.b;
            sum = self_4;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 44:  y[i] = sum.a * sum.b + made<float>(x[i * M], w[0])
        float g = adj_y[i];
        adj_sum.a = sum.b * g;
        adj_sum.b = sum.a * g;
        float adj_a = 0.0f;
        made_float_adj(x[i * M], &adj_a, w[0], &adj_b, g);
        adj_x[i * M] += adj_a;
    }
    for (int k = M - 1; k >= 0; --k) {
        float adj_w_sum = 0.0f;
        float adj_b = 0.0f;
        if (i < n) {
            float b = w[M - 1 - k];
            float self_a;
            float self_b;
            self_a = x[i * M + k] * b;
            self_b = b;
            float s = x[(i + 1) * M - 1 - k];
            float self_a_2;
            float self_b_2;
            self_a_2 = self_a * s;
            self_b_2 = self_b * s;
            float s_2 = w[k];

            // 42:  sum = sum + term
            Pair adj_self = adj_sum;
            // 42:  sum + term
            adj_sum = adj_self;
            // 41:  made<Pair>(x[i * M + k], w[M - 1 - k]) * x[(i + 1) * M - 1 - k] * w[k]
            Pair adj_self_2 = {s_2 * adj_self.a, s_2 * adj_self.b};
            // 41:  w[k]
            adj_w_sum = self_b_2 * adj_self.b + self_a_2 * adj_self.a;

            // 41:  made<Pair>(x[i * M + k], w[M - 1 - k]) * x[(i + 1) * M - 1 - k]
            Pair adj_self_3;
            adj_self_3.a = s * adj_self_2.a;

            // 41:  x[(i + 1) * M - 1 - k]
            adj_x[(i + 1) * M - 1 - k] += self_b * adj_self_2.b + self_a * adj_self_2.a;
            // 11:  b = second
            adj_b = s * adj_self_2.b;

            // 10:  a = first
            adj_x[i * M + k] += b * adj_self_3.a;
            adj_b += x[i * M + k] * adj_self_3.a;
        }
        block_add(&adj_w[k], adj_w_sum);
        block_add(&adj_w[M - 1 - k], adj_b);
    }
    block_add(&adj_w[0], adj_b);
}
