// Adjoint of brusselator.  of du, dv, wrt u, v.
//   diffusion      the periodic five-point stencil is symmetric: the same stencil on the seeds, so a thread
//                  gathers all that its cell gets: +=. The launch has a thread for each cell
//   reaction       d(p^2 q) = 2 p q dp + p^2 dq; du and dv hold it with opposite signs
//   source         doesn't depend on u and v
extern "C" __global__ void brusselator_adj(const double *__restrict__ u, double *__restrict__ adj_u,
                                           const double *__restrict__ v, double *__restrict__ adj_v,
                                           double *__restrict__ du, const double *__restrict__ adj_du,
                                           double *__restrict__ dv, const double *__restrict__ adj_dv, double t,
                                           double a, double b, double alpha, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    const int here = y * n + x;
    const int east = x < n - 1 ? here + 1 : here - x, west = x > 0 ? here - 1 : here + n - 1;
    const int north = y < n - 1 ? here + n : x, south = y > 0 ? here - n : here + (n - 1) * n;
    const double spread = alpha * (n - 1) * (n - 1);
    const double p = u[here], q = v[here], g = adj_du[here], h = adj_dv[here];
    const double reaction = p * (g - h);
    adj_u[here] += 2.0 * q * reaction + a * (h - g) - g
                   + spread * (adj_du[east] + adj_du[west] + adj_du[north] + adj_du[south] - 4.0 * g);
    adj_v[here] += p * reaction
                   + spread * (adj_dv[east] + adj_dv[west] + adj_dv[north] + adj_dv[south] - 4.0 * h);
}
