// XSBench: macroscopic neutron cross sections of a material at an energy, interpolated between the points of
// each nuclide's grid. After J. Tramm et al., "XSBench" (2014), unionised grid; a thread is one lookup.
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

// s2sad: --of macro --wrt nuclides
extern "C" __global__ void xsbench(const double *__restrict__ energies, const int *__restrict__ materials,
                                   const int *__restrict__ num_nucs, const int *__restrict__ mats,
                                   const double *__restrict__ concs, const double *__restrict__ unionised,
                                   const int *__restrict__ index_grid, const GridPoint *__restrict__ nuclides,
                                   double *__restrict__ macro, int lookups, int isotopes, int points, int most)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups)
        return;
    const double energy = energies[i];
    const int material = materials[i];
    const int row = grid_search(isotopes * points, energy, unionised);

    double sum[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < num_nucs[material]; ++j) {
        const int nuclide = mats[material * most + j];
        const double conc = concs[material * most + j];
        const int below = index_grid[row * isotopes + nuclide];
        const GridPoint *low = &nuclides[nuclide * points + (below == points - 1 ? below - 1 : below)];
        const GridPoint *high = low + 1;
        const double f = (high->energy - energy) / (high->energy - low->energy);
        sum[0] += conc * (high->total - f * (high->total - low->total));
        sum[1] += conc * (high->elastic - f * (high->elastic - low->elastic));
        sum[2] += conc * (high->absorption - f * (high->absorption - low->absorption));
        sum[3] += conc * (high->fission - f * (high->fission - low->fission));
        sum[4] += conc * (high->nu_fission - f * (high->nu_fission - low->nu_fission));
    }
    for (int k = 0; k < 5; ++k)
        macro[5 * i + k] = sum[k];
}
