// Adjoint of xsbench.  of macro, wrt nuclides.
//   macro          linear in a nuclide's cross sections, and not needed: a lookup reads the grid once
//   adj_nuclides   a nuclide gives  sum of g (low + (1 - f) (high - low))  with f = (high.energy - energy) / width,
//                  so both points get the same vector, by their weights f and 1 - f: g for the cross sections,
//                  -sum of g (high - low) / width for the energy. Lookups share points: atomics
struct GridPoint {
    double energy;
    double total, elastic, absorption, fission, nu_fission;
};

// The last point of a sorted grid whose energy isn't above `energy`.
__device__ int grid_search(int n, double energy, const double *__restrict__ grid)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (grid[middle] > energy)
            high = middle;
        else
            low = middle;
    }
    return low;
}

__device__ void add_scaled(GridPoint *to, double weight, const GridPoint &g)
{
    atomicAdd(&to->energy, weight * g.energy);
    atomicAdd(&to->total, weight * g.total);
    atomicAdd(&to->elastic, weight * g.elastic);
    atomicAdd(&to->absorption, weight * g.absorption);
    atomicAdd(&to->fission, weight * g.fission);
    atomicAdd(&to->nu_fission, weight * g.nu_fission);
}

extern "C" __global__ void xsbench_adj(const double *__restrict__ energies, const int *__restrict__ materials,
                                       const int *__restrict__ num_nucs, const int *__restrict__ mats,
                                       const double *__restrict__ concs, const double *__restrict__ unionised,
                                       const int *__restrict__ index_grid, const GridPoint *__restrict__ nuclides,
                                       GridPoint *adj_nuclides, double *__restrict__ macro,
                                       const double *__restrict__ adj_macro, int lookups, int isotopes, int points,
                                       int most)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups)
        return;
    const double energy = energies[i];
    const int material = materials[i], nucs = num_nucs[material];
    const int row = grid_search(isotopes * points, energy, unionised);
    const double *seed = &adj_macro[5 * i];
    GridPoint g = {0.0, seed[0], seed[1], seed[2], seed[3], seed[4]};

    for (int j = 0; j < nucs; ++j) {
        const int nuclide = mats[material * most + j];
        const double conc = concs[material * most + j];
        const int below = index_grid[row * isotopes + nuclide];
        const int at = nuclide * points + min(below, points - 2);
        const GridPoint *low = &nuclides[at], *high = low + 1;
        const double per_width = 1.0 / (high->energy - low->energy);
        const double low_weight = conc * (high->energy - energy) * per_width;
        g.energy = -per_width * (g.total * (high->total - low->total) + g.elastic * (high->elastic - low->elastic)
                                 + g.absorption * (high->absorption - low->absorption)
                                 + g.fission * (high->fission - low->fission)
                                 + g.nu_fission * (high->nu_fission - low->nu_fission));
        add_scaled(&adj_nuclides[at], low_weight, g);
        add_scaled(&adj_nuclides[at + 1], conc - low_weight, g);
    }
}
