// s2sad: --of u --wrt u,f
// Each thread relaxes its own line in place, from left to right, several times.
extern "C" __global__ void gauss_seidel_line(float *u, const float *f, int lines, int length, int sweeps)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;
    for (int s = 0; s < sweeps; s++)
        for (int k = 1; k < length - 1; k++) {
            int c = line * length + k;
            u[c] = 0.5f * (u[c - 1] + u[c + 1] - f[c] * u[c] * u[c]);
        }
}
