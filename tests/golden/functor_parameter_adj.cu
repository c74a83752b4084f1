// functor_parameter_adj: adjoint of functor_parameter (functor_parameter.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform functor_parameter.cu --of y --wrt x,w --template 'F=Smooth<float>'
//
// Call with x and w as they were before functor_parameter. Seed adj_y with dJ/dy: it is
// left alone, because functor_parameter stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v       recomputed   from values at hand, in the reversed iteration
//   w[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_w[..]   reduced per block   every thread reads the same w[k]
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Of the template functor_parameter this is the instance with F = Smooth<float>.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Smooth_float {
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

extern "C" __global__ void functor_parameter_adj(const float *x, float *adj_x, Smooth_float f,
                                                 const float *w, float *adj_w,
                                                 float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_sum;
    if (i < n) {
        // 18:  y[i] = sum
        adj_sum = adj_y[i];
    }
    for (int k = 0; k < 3; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            float v = x[3 * i + k];

            // 17:  sum += F::sign(k) * f(x[3 * i + k], w[k])
            float g = (k % 2 ? -1.0f : 1.0f) * adj_sum * rsqrtf(w[k] + v * v);
            float adj_v = g;
            float g_2 = -(v * rsqrtf(w[k] + v * v) * g);
            if (g_2 != 0.0f) {
                float g = 0.5f * g_2 * rsqrtf(w[k] + v * v);
                adj_w_sum = g;
                adj_v += 2.0f * v * g;
            }

            // 17:  x[3 * i + k]
            adj_x[3 * i + k] += adj_v;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
}
