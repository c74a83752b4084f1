// s2sad: --of v --wrt u,rate --assume covers:n
// A reaction, and diffusion in a medium; the launch is declared to have a thread for each of the n points.
extern "C" __global__ void diffuse_covered(const float *__restrict__ u, const float *__restrict__ rate,
                                           float *__restrict__ v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float c = u[i];
    float f = sinf(c);
    if (i >= 2 && i + 2 < n) {
        float spread = u[i - 2] + u[i - 1] - 4.0f * c + u[i + 1] + u[i + 2];
        f += rate[i] * spread * spread;
    }
    v[i] = f;
}
