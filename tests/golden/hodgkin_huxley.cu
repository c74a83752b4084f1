// s2sad: --of v --wrt v,gates,current,g_na
// A membrane and its three gates; the state is in global memory, four elements a cell.
__device__ double rate_of(double v, double at, double scale, double slope)
{
    double d = (v - at) / slope;
    if (fabs(d) < 1e-6)
        return scale * slope * (1.0 + 0.5 * d);
    return scale * (v - at) / (1.0 - exp(-d));
}

extern "C" __global__ void hodgkin_huxley(double *v, double *gates, const double *current, double g_na,
                                          double dt, int cells, int steps)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cells)
        return;
    double u = v[c];
    double m = gates[3 * c], h = gates[3 * c + 1], n = gates[3 * c + 2];
    for (int s = 0; s < steps; ++s) {
        double am = rate_of(u, -40.0, 0.1, 10.0), bm = 4.0 * exp(-(u + 65.0) / 18.0);
        double ah = 0.07 * exp(-(u + 65.0) / 20.0), bh = 1.0 / (1.0 + exp(-(u + 35.0) / 10.0));
        double an = rate_of(u, -55.0, 0.01, 10.0), bn = 0.125 * exp(-(u + 65.0) / 80.0);
        double i_na = g_na * m * m * m * h * (u - 50.0);
        double i_k = 36.0 * n * n * n * n * (u + 77.0);
        double i_leak = 0.3 * (u + 54.4);
        m += dt * (am * (1.0 - m) - bm * m);
        h += dt * (ah * (1.0 - h) - bh * h);
        n += dt * (an * (1.0 - n) - bn * n);
        u += dt * (current[c] - i_na - i_k - i_leak);
    }
    v[c] = u;
    gates[3 * c] = m;
    gates[3 * c + 1] = h;
    gates[3 * c + 2] = n;
}
