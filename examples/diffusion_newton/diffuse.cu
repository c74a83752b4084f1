// One explicit step of u_t = div(k grad u), from u to next, on a grid whose edges are insulated.
extern "C" __global__ void diffuse(const double *u, const double *k, double *next, double rate,
                                   int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;

    // Through each side of the cell heat flows by the mean conductivity of the two cells.
    const int at = row * width + column;
    double flow = 0.0;
    if (column > 0)
        flow += 0.5 * (k[at] + k[at - 1]) * (u[at - 1] - u[at]);
    if (column < width - 1)
        flow += 0.5 * (k[at] + k[at + 1]) * (u[at + 1] - u[at]);
    if (row > 0)
        flow += 0.5 * (k[at] + k[at - width]) * (u[at - width] - u[at]);
    if (row < height - 1)
        flow += 0.5 * (k[at] + k[at + width]) * (u[at + width] - u[at]);
    next[at] = u[at] + rate * flow;
}
