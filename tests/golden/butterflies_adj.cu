// butterflies_adj: adjoint of butterflies (butterflies.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform butterflies.cu --of y --wrt x
//
// Call with x as it was before butterflies. Seed adj_y with dJ/dy: it is left alone,
// because butterflies stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   h                  inverted               each iteration multiplies it with 2
//   trips of line 11   trips, a register      the loop decides in its iterations when
//                                             it ends
//   i, b               recomputed             from values at hand, in the reversed
//                                             iteration
//   s[i + h]           tape_b[6], registers   line 16 overwrites it
//   s[..]              reloaded               no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   atomicAdd       whoever stores an element may not be its only thread
//   adj_s[..]   exchanged       no proof that only one thread stores an element; one
//                               takes its adjoint
//
// Assumed: the launch is 1-D, no two threads store different values in one s[t], no two
// threads store different values in one s[t + 32], no two threads store different
// values in one s[i], no two threads store different values in one s[i + h], arrays
// don't overlap, no index wraps.

// Stores a value and returns the one before it: CUDA has an atomicExch for float only.
static __device__ double exchange(double *where, double value)
{
    unsigned long long *bits = (unsigned long long *)where;
    return __longlong_as_double(atomicExch(bits, __double_as_longlong(value)));
}

__global__ void butterflies_adj(double *y, const double *adj_y,
                                const double *x, double *adj_x, int n)
{
    __shared__ double s[64];
    __shared__ double adj_s[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_s[q] = 0.0;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    s[t + 32] = x[blockIdx.x * 64 + t + 32];
    double tape_b[6];
    int trips = 0;
    for (int h = 1; h < 64; h *= 2) {
        __syncthreads();
        int low = t & (h - 1);
        int i = (t - low) * 2 + low;
        double a = s[i];
        double b = s[i + h];
        tape_b[trips] = b;
        s[i] = a + b * b;
        s[i + h] = a - 0.5 * b;
        ++trips;
    }
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    if (blockIdx.x * 32 + t < n) {
        // 21:  y[blockIdx.x * 32 + t] = s[t] * s[t + 32]
        double g = adj_y[blockIdx.x * 32 + t];
        atomicAdd(&adj_s[t], s[t + 32] * g);
        atomicAdd(&adj_s[t + 32], s[t] * g);
    }
    __syncthreads();
    for (int trip = trips - 1; trip >= 0; --trip) {
        int h = 1 << trip;
        int low = t & (h - 1);
        int i = (t - low) * 2 + low;
        double b = tape_b[trip];

        // 17:  s[i + h] = a - 0.5 * b
        double g = exchange(&adj_s[i + h], 0.0);
        double adj_a = g;
        double adj_b = -0.5 * g;

        // 16:  s[i] = a + b * b
        double g_2 = exchange(&adj_s[i], 0.0);
        adj_a += g_2;
        adj_b += 2.0 * b * g_2;

        // 15:  b = s[i + h]
        atomicAdd(&adj_s[i + h], adj_b);

        // 15:  double a = s[i]
        atomicAdd(&adj_s[i], adj_a);
        __syncthreads();
    }

    // 10:  s[t + 32] = x[blockIdx.x * 64 + t + 32]
    double g = exchange(&adj_s[t + 32], 0.0);
    adj_x[blockIdx.x * 64 + t + 32] += g;

    // 9:  s[t] = x[blockIdx.x * 64 + t]
    double g_2 = exchange(&adj_s[t], 0.0);
    adj_x[blockIdx.x * 64 + t] += g_2;
}
