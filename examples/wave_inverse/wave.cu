// One step of u_tt = c^2 (u_xx + u_yy) + a source, in place: `previous` becomes the next state, and the caller
// swaps the two. The frame of the grid is held at zero. s holds (c dt / dx)^2 of each cell.
// s2sad: --of previous --wrt previous,u,s
extern "C" __global__ void wave(const double *u, const double *s, double *previous, const double *wavelet,
                                int source, int t, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < 1 || column >= width - 1 || row < 1 || row >= height - 1)
        return;

    const int at = row * width + column;
    double bend = u[at - 1] + u[at + 1] + u[at - width] + u[at + width] - 4.0 * u[at];
    double next = 2.0 * u[at] - previous[at] + s[at] * bend;
    if (at == source)
        next += wavelet[t];
    previous[at] = next;
}
