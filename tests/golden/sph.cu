// s2sad: --of density,pressure --wrt x,y,mass,stiffness
// Smoothed particles: neighbours beyond the radius are passed over.
extern "C" __global__ void sph(const float *x, const float *y, const float *mass, float *density, float *pressure,
                               float radius, float stiffness, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float h2 = radius * radius;
    float rho = 0.0f;
    for (int j = 0; j < n; ++j) {
        const float dx = x[i] - x[j];
        const float dy = y[i] - y[j];
        const float r2 = dx * dx + dy * dy;
        if (j == i || r2 >= h2)
            continue;
        const float q = h2 - r2;
        rho += mass[j] * q * q * q;
    }
    density[i] = rho;
    pressure[i] = stiffness * (powf(1.0f + rho, 7.0f) - 1.0f);
}
