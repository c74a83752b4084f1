// whole_file_adj: adjoint of whole_file (whole_file.cu:28).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform whole_file.cu --of y --wrt x,scale
//
// Call with x as it was before whole_file. Seed adj_y with dJ/dy: it is left alone,
// because whole_file stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dscale is added to adj_scale. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   kCoefficients[..], x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_scale   reduced per block   every thread has its share in it
//
// Preprocessed with line 10: #ifdef USE_DOUBLE not taken.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define LEAK 0.01f
#define BLOCK_SIZE 16

typedef float real;

static const int kTerms = 3;
static __constant__ float kCoefficients[3] = {0.5f, -0.25f, 0.125f};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
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

static __device__ real leaky_adj(real v, real adj_leaky)
{
    real adj_v;

    // 25:  return v > 0 ? SQUARE(v) / (1 + v) : LEAK * v
    if (v > 0)
        adj_v = (2.0f * v - v * v / (1 + v)) * adj_leaky / (1 + v);
    else
        adj_v = LEAK * adj_leaky;
    return adj_v;
}

extern "C" __global__ void whole_file_adj(const real *x, real *adj_x,
                                          real scale, real *adj_scale,
                                          real *y, const real *adj_y, int n)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;  // one element a thread
    real adj_scale_sum = 0.0f;
    if (i < n) {
        // 37:  y[i] = sum
        real adj_sum = adj_y[i];
        real adj_x_sum = 0.0f;
        #pragma unroll
        for (int k = 0; k < kTerms; ++k) {
            // 36:  sum += kCoefficients[k] * leaky(scale * x[i] - k)
            float g = leaky_adj(scale * x[i] - k, kCoefficients[k] * adj_sum);
            adj_scale_sum += x[i] * g;
            adj_x_sum += scale * g;
        }
        // what the iterations owe, added once
        if (adj_x_sum != 0.0f)
            adj_x[i] += adj_x_sum;
    }
    block_add(adj_scale, adj_scale_sum);
}
