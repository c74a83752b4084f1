// diffusion3d_adj: adjoint of diffusion3d (diffusion3d.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform diffusion3d.cu --of out --wrt in,kappa
//
// Call with in and kappa as they were before diffusion3d. Seed adj_out with dJ/dout: it
// is left alone, because diffusion3d stores each element of out at most once. dJ/din is
// added to adj_in; dJ/dkappa is added to adj_kappa. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   in[..], kappa[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_kappa[..]   atomicAdd   neighbouring threads share kappa[here], kappa[here -
//                               1], kappa[here + 1], kappa[here - nx] and others
//   adj_in[..]      atomicAdd   neighbouring threads share in[here - 1], in[here],
//                               in[here + 1], in[here - nx] and others
//
// Assumed: arrays don't overlap, no index wraps.

extern "C" __global__ void diffusion3d_adj(const double *in, double *adj_in,
                                           const double *kappa, double *adj_kappa,
                                           double *out, const double *adj_out, int nx, int ny,
                                           int nz, double dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    int here = (z * ny + y) * nx + x;

    // 19:  out[here] = in[here] + dt * flux
    double g = adj_out[here];
    atomicAdd(&adj_in[here], g);
    double adj_flux = dt * g;
    if (z < nz - 1) {
        // 18:  flux += 0.5 * (kappa[here] + kappa[here + nx * ny]) * (in[here + nx * ny] -
        //      in[here])
        double g = 0.5 * (in[here + nx * ny] - in[here]) * adj_flux;
        atomicAdd(&adj_kappa[here], g);
        atomicAdd(&adj_kappa[here + nx * ny], g);
        double g_2 = 0.5 * (kappa[here] + kappa[here + nx * ny]) * adj_flux;
        atomicAdd(&adj_in[here + nx * ny], g_2);
        atomicAdd(&adj_in[here], -g_2);
    }
    if (z > 0) {
        // 17:  flux += 0.5 * (kappa[here] + kappa[here - nx * ny]) * (in[here - nx * ny] -
        //      in[here])
        double g = 0.5 * (in[here - nx * ny] - in[here]) * adj_flux;
        atomicAdd(&adj_kappa[here], g);
        atomicAdd(&adj_kappa[here - nx * ny], g);
        double g_2 = 0.5 * (kappa[here] + kappa[here - nx * ny]) * adj_flux;
        atomicAdd(&adj_in[here - nx * ny], g_2);
        atomicAdd(&adj_in[here], -g_2);
    }
    if (y < ny - 1) {
        // 16:  flux += 0.5 * (kappa[here] + kappa[here + nx]) * (in[here + nx] - in[here])
        double g = 0.5 * (in[here + nx] - in[here]) * adj_flux;
        atomicAdd(&adj_kappa[here], g);
        atomicAdd(&adj_kappa[here + nx], g);
        double g_2 = 0.5 * (kappa[here] + kappa[here + nx]) * adj_flux;
        atomicAdd(&adj_in[here + nx], g_2);
        atomicAdd(&adj_in[here], -g_2);
    }
    if (y > 0) {
        // 15:  flux += 0.5 * (kappa[here] + kappa[here - nx]) * (in[here - nx] - in[here])
        double g = 0.5 * (in[here - nx] - in[here]) * adj_flux;
        atomicAdd(&adj_kappa[here], g);
        atomicAdd(&adj_kappa[here - nx], g);
        double g_2 = 0.5 * (kappa[here] + kappa[here - nx]) * adj_flux;
        atomicAdd(&adj_in[here - nx], g_2);
        atomicAdd(&adj_in[here], -g_2);
    }
    if (x < nx - 1) {
        // 14:  flux += 0.5 * (kappa[here] + kappa[here + 1]) * (in[here + 1] - in[here])
        double g = 0.5 * (in[here + 1] - in[here]) * adj_flux;
        atomicAdd(&adj_kappa[here], g);
        atomicAdd(&adj_kappa[here + 1], g);
        double g_2 = 0.5 * (kappa[here] + kappa[here + 1]) * adj_flux;
        atomicAdd(&adj_in[here + 1], g_2);
        atomicAdd(&adj_in[here], -g_2);
    }
    if (x > 0) {
        // 13:  flux += 0.5 * (kappa[here] + kappa[here - 1]) * (in[here - 1] - in[here])
        double g = 0.5 * (in[here - 1] - in[here]) * adj_flux;
        atomicAdd(&adj_kappa[here], g);
        atomicAdd(&adj_kappa[here - 1], g);
        double g_2 = 0.5 * (kappa[here] + kappa[here - 1]) * adj_flux;
        atomicAdd(&adj_in[here - 1], g_2);
        atomicAdd(&adj_in[here], -g_2);
    }
}
