// settle_adj: adjoint of settle (kept_template.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform kept_template.cu --of y --wrt x,w,a --keep-template
//
// Call with x and w as they were before settle. Seed adj_y with dJ/dy: it is left
// alone, because settle stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dw is added to adj_w; dJ/da is added to adj_a. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s (line 19)   tape_s[steps], global memory   line 20 changes it in each iteration
//   s (line 19)   reloaded                       still in its variable
//   w[..]         reloaded                       nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner       one thread per element
//   adj_w[..]       reduced per block   every thread reads the same w[t]
//   adj_first[..]   reduced per block   every thread reads first[0]
//   adj_a           reduced per block   every thread has its share in it
//
// Extra memory: a tape of steps * sizeof(T) bytes (tape_s) per thread, in global
// memory; settle_adj_tape_bytes(grid, block, a, n, steps) says how many in all.
//
// A template as settle is, instantiated for T = double. pycuda's SourceModule takes it
// with no_extern_c=True.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
template <class T>
static __device__ void block_add(T *where, T value)
{
    __shared__ T sums[32];
    for (int d = 16; d > 0; d /= 2) {
        T above = __shfl_down_sync(0xffffffffu, value, d);
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
        if (value != T(0.0))  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

template <class T>
static __device__ T soft(T v, T a)
{
    return v / ((T)1 + a * fabs(v)) + exp(-v);
}

template <class T>
static __device__ void soft_adj(T v, T *adj_v, T a, T *adj_a, T adj_soft)
{
    // 6:  return v / (T(1) + a * fabs(v)) + exp(-v)
    T g = adj_soft / ((T)1 + a * fabs(v));
    *adj_v += g;
    T g_2 = -(v / ((T)1 + a * fabs(v)) * g);
    *adj_a += fabs(v) * g_2;
    *adj_v += a * (v > T(0.0) ? T(1.0) : v < T(0.0) ? -T(1.0) : T(0.0)) * g_2 - exp(-v) * adj_soft;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
template <class T>
size_t settle_adj_tape_bytes(dim3 grid, dim3 block, T a, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(T) + 15) / 16 * 16;  // tape_s
    return bytes;
}
#endif

template <class T>
__global__ void settle_adj(const T *x, T *adj_x,
                           const T *w, T *adj_w,
                           T *y, const T *adj_y,
                           T a, T *adj_a, int n, int steps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    T *tape_s = (T *)(tape + 16) + thread;
    __shared__ T first[64];
    __shared__ T adj_first[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_first[q] = T(0.0);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    first[threadIdx.x] = i < n ? x[i] * (T)0.5 : (T)0;
    __syncthreads();
    T adj_a_sum = T(0.0);
    T adj_s = T(0.0);
    if (i < n) {
        T s = x[i] + first[0];
        for (int t = 0; t < steps; ++t) {
            tape_s[t * threads] = s;
            s += (T)0.1 * w[t] * soft<T>(sin(s), a);
        }

        // 21:  y[i] = s * s
        adj_s = T(2.0) * s * adj_y[i];
    }
    for (int t = steps - 1; t >= 0; --t) {
        T adj_w_sum = T(0.0);
        if (i < n) {
            // 20:  s += T(0.1) * w[t] * soft(sin(s), a)
            T sine;
            T cosine;
            sincos(tape_s[t * threads], &sine, &cosine);
            adj_w_sum = soft<T>(sine, a) * (T)0.1 * adj_s;
            T adj_v = T(0.0);
            soft_adj<T>(sine, &adj_v, a, &adj_a_sum, (T)0.1 * w[t] * adj_s);
            adj_s += cosine * adj_v;
        }
        block_add<T>(&adj_w[t], adj_w_sum);
    }
    if (i < n) {
        // 18:  T s = x[i] + first[0]
        adj_x[i] += adj_s;
    }
    block_add<T>(&adj_first[0], adj_s);
    __syncthreads();

    // 14:  first[threadIdx.x] = i < n ? x[i] * T(0.5) : T(0)
    if (i < n)
        adj_x[i] += (T)0.5 * adj_first[threadIdx.x];
    block_add<T>(adj_a, adj_a_sum);
}

template __global__ void settle_adj<double>(const double *, double *, const double *, double *,
                                            double *, const double *, double, double *, int, int,
                                            char *);
#ifndef __CUDACC_RTC__
template size_t settle_adj_tape_bytes<double>(dim3, dim3, double, int, int);
#endif
