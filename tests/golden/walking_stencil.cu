// s2sad: --of out --wrt in
// A column of a volume per thread: three planes walk along together, as stencil codes write it.
extern "C" __global__ void walking_stencil(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    const int plane = nx * ny;
    in += y * nx + x;
    out += y * nx + x;
    float below = *in;
    in += plane;
    float here = *in;
    for (int z = 1; z < nz - 1; ++z) {
        float above = in[plane];
        out += plane;
        *out = here * (in[-1] + in[1] + in[-nx] + in[nx]) + below * above;
        below = here;
        here = above;
        in += plane;
    }
}
