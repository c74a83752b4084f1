// sph_adj: adjoint of sph (sph.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sph.cu --of density,pressure --wrt x,y,mass,stiffness
//
// Call with x, y and mass as they were before sph. Seed adj_density with dJ/ddensity:
// it is left alone, because sph stores each element of density at most once. Seed
// adj_pressure with dJ/dpressure: it is left alone, because sph stores each element of
// pressure at most once. dJ/dx is added to adj_x; dJ/dy is added to adj_y; dJ/dmass is
// added to adj_mass; dJ/dstiffness is added to adj_stiffness. density and pressure are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   h2, rho         reloaded     still in its variable
//   dx, dy, r2, q   recomputed   from values at hand, in the reversed iteration
//   mass[..]        reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       reduced per block   every thread reads the same x[j]
//   adj_x[..]       atomicAdd           other threads add to x[i] too
//   adj_y[..]       reduced per block   every thread reads the same y[j]
//   adj_y[..]       atomicAdd           other threads add to y[i] too
//   adj_mass[..]    reduced per block   every thread reads the same mass[j]
//   adj_stiffness   reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

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

extern "C" __global__ void sph_adj(const float *x, float *adj_x,
                                   const float *y, float *adj_y,
                                   const float *mass, float *adj_mass,
                                   float *density, const float *adj_density,
                                   float *pressure, const float *adj_pressure, float radius,
                                   float stiffness, float *adj_stiffness, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_stiffness_sum = 0.0f;
    float h2;
    float adj_rho;
    float adj_y_sum_2;
    float adj_x_sum_2;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        h2 = radius * radius;
        float rho = 0.0f;
        for (int j = 0; j < n; ++j) {
            const float dx = x[i] - x[j];
            const float dy = y[i] - y[j];
            const float r2 = dx * dx + dy * dy;
            if (!(j == i || r2 >= h2)) {
                const float q = h2 - r2;
                rho += mass[j] * q * q * q;
            }
        }

        // ---- reverse sweep ------------------------------------------------------

        // 21:  pressure[i] = stiffness * (powf(1.0f + rho, 7.0f) - 1.0f)
        float g = adj_pressure[i];
        adj_stiffness_sum = (powf(1.0f + rho, 7.0f) - 1.0f) * g;
        adj_rho = 7.0f * stiffness * powf(1.0f + rho, 6.0f) * g;

        // 20:  density[i] = rho
        adj_rho += adj_density[i];
        adj_y_sum_2 = 0.0f;
        adj_x_sum_2 = 0.0f;
    }
    for (int j = 0; j < n; ++j) {
        float adj_mass_sum = 0.0f;
        float adj_y_sum = 0.0f;
        float adj_x_sum = 0.0f;
        if (i < n) {
            const float dx = x[i] - x[j];
            const float dy = y[i] - y[j];
            const float r2 = dx * dx + dy * dy;
            float adj_r2 = 0.0f;
            if (!(j == i || r2 >= h2)) {
                const float q = h2 - r2;
                // 18:  rho += mass[j] * q * q * q
                adj_mass_sum = q * q * q * adj_rho;
                // 17:  const float q = h2 - r2
                adj_r2 = -(3.0f * mass[j] * q * q * adj_rho);
            }

            // 14:  const float r2 = dx * dx + dy * dy
            float adj_dx = 2.0f * dx * adj_r2;
            float adj_dy = 2.0f * dy * adj_r2;

            // 13:  const float dy = y[i] - y[j]
            adj_y_sum_2 += adj_dy;
            adj_y_sum = -adj_dy;

            // 12:  const float dx = x[i] - x[j]
            adj_x_sum_2 += adj_dx;
            adj_x_sum = -adj_dx;
        }
        block_add(&adj_mass[j], adj_mass_sum);
        block_add(&adj_y[j], adj_y_sum);
        block_add(&adj_x[j], adj_x_sum);
    }
    if (i < n) {
        // what the iterations owe, added once
        if (adj_y_sum_2 != 0.0f)
            atomicAdd(&adj_y[i], adj_y_sum_2);
        if (adj_x_sum_2 != 0.0f)
            atomicAdd(&adj_x[i], adj_x_sum_2);
    }
    block_add(adj_stiffness, adj_stiffness_sum);
}
