// s2sad: --of u --wrt u,kappa
// Implicit in none, explicit in all: a rod for each thread, swept in place with the old
// left neighbour kept in a variable.
extern "C" __global__ void heat_inplace(double *u, const double *kappa, int rods, int points, int steps)
{
    int rod = blockIdx.x * blockDim.x + threadIdx.x;
    if (rod >= rods)
        return;
    for (int s = 0; s < steps; ++s) {
        double left = u[rod * points];
        for (int p = 1; p + 1 < points; ++p) {
            double here = u[rod * points + p];
            double right = u[rod * points + p + 1];
            u[rod * points + p] = here + kappa[rod] * (left - 2.0 * here + right);
            left = here;
        }
    }
}
