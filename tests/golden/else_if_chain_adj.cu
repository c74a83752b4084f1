// else_if_chain_adj: adjoint of else_if_chain (else_if_chain.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform else_if_chain.cu --of y --wrt x,k
//
// Call with x as it was before else_if_chain. Seed adj_y with dJ/dy: it is left alone,
// because else_if_chain stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dk is added to adj_k. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   e, damage (line 10),       reloaded   still in its variable
//   stress, damage (line 19)
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_k       reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void else_if_chain_adj(const double *x, double *adj_x,
                                             double k, double *adj_k,
                                             double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_k_sum = 0.0;
    if (i < n) {
        double e = x[i];
        double stress;
        double damage = 1.0;
        if (e < -1.0) {
            stress = -k;
            damage = 0.5;
        } else if (e < 0.0) {
            stress = k * e;
        } else if (e < 0.5) {
            stress = 0.5 * k * e * e;
            damage = 1.0 - e;
        } else {
            damage = exp(-e);
            stress = k * damage;
        }

        // 22:  y[i] = stress * damage
        double g = adj_y[i];
        double adj_stress = damage * g;
        double adj_damage = stress * g;
        double adj_e = 0.0;
        if (e < -1.0) {
            // 11:  stress = -k
            adj_k_sum = -adj_stress;
        } else if (e < 0.0) {
            // 14:  stress = k * e
            adj_k_sum = e * adj_stress;
            adj_e = k * adj_stress;
        } else if (e < 0.5) {
            // 17:  damage = 1.0 - e
            adj_e = -adj_damage;

            // 16:  stress = 0.5 * k * e * e
            adj_k_sum = 0.5 * e * e * adj_stress;
            adj_e += k * e * adj_stress;
        } else {
            double damage = exp(-e);

            // 20:  stress = k * damage
            adj_k_sum = damage * adj_stress;
            adj_damage += k * adj_stress;

            // 19:  damage = exp(-e)
            adj_e = -(damage * adj_damage);
        }

        // 8:  double e = x[i]
        adj_x[i] += adj_e;
    }
    block_add(adj_k, adj_k_sum);
}
