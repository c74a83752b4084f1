// s2sad: --of state --wrt state,push --assume injective:cell
// Elements picked by an index array without repetitions are updated in place.
extern "C" __global__ void scatter_update(double *state, const int *cell, const double *push, int n, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int t = 0; t < times; ++t)
        state[cell[i]] = state[cell[i]] * push[i] + sin(state[cell[i]]);
}
