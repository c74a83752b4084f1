// s2sad: --of out --wrt in,kappa
// Seven points in three dimensions; the conductivity is averaged over each face.
extern "C" __global__ void diffusion3d(const double *in, const double *kappa, double *out,
                                       int nx, int ny, int nz, double dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    int here = (z * ny + y) * nx + x;
    double flux = 0.0;
    if (x > 0) flux += 0.5 * (kappa[here] + kappa[here - 1]) * (in[here - 1] - in[here]);
    if (x < nx - 1) flux += 0.5 * (kappa[here] + kappa[here + 1]) * (in[here + 1] - in[here]);
    if (y > 0) flux += 0.5 * (kappa[here] + kappa[here - nx]) * (in[here - nx] - in[here]);
    if (y < ny - 1) flux += 0.5 * (kappa[here] + kappa[here + nx]) * (in[here + nx] - in[here]);
    if (z > 0) flux += 0.5 * (kappa[here] + kappa[here - nx * ny]) * (in[here - nx * ny] - in[here]);
    if (z < nz - 1) flux += 0.5 * (kappa[here] + kappa[here + nx * ny]) * (in[here + nx * ny] - in[here]);
    out[here] = in[here] + dt * flux;
}
