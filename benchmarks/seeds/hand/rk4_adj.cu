// Adjoint of rk4. The steps are reversed in segments of SEGMENT steps: the states of a segment and of its stages are
// computed again, starting from the latest of at most KEPT snapshots, so that memory doesn't grow with `steps`.
#define KEPT 16
#define SEGMENT 8

// The number of segments to go to the next snapshot, if `left` >= 2 segments are to be reversed and `free` >= 1
// snapshots are free. In r passes over each segment (free + r choose r) of them can be reversed (Griewank and Walther,
// "Revolve", 2000).
__device__ int stride(int left, int free)
{
    int r = 0;
    for (int reach = 1; reach < left; reach = reach * (free + r) / r)
        ++r;
    return 1 + (left * r - 1) / (free + r);  // left * r / (free + r), rounded up
}

// a + f b
__device__ double2 along(double2 a, double f, double2 b)
{
    return make_double2(a.x + f * b.x, a.y + f * b.y);
}

__device__ double2 slope(double2 s, double4 rate)
{
    return make_double2(s.x * (rate.x - rate.y * s.y), s.y * (rate.w * s.x - rate.z));
}

// For the weights p of slope(s, rate): returns the gradient for s, adds that for the rates.
__device__ __forceinline__ double2 pull(double2 s, double2 p, double4 rate, double4 &g_rate)
{
    const double px = p.x * s.x, py = p.y * s.y;
    g_rate.x += px;
    g_rate.y -= px * s.y;
    g_rate.z -= py;
    g_rate.w += py * s.x;
    return make_double2(p.x * (rate.x - rate.y * s.y) + py * rate.w, p.y * (rate.w * s.x - rate.z) - px * rate.y);
}

// One step; stage[] gets the states at which the slopes are taken.
__device__ __forceinline__ double2 next(double2 s, double4 rate, double dt, double2 *stage)
{
    stage[0] = s;
    const double2 k1 = slope(s, rate);
    stage[1] = along(s, 0.5 * dt, k1);
    const double2 k2 = slope(stage[1], rate);
    stage[2] = along(s, 0.5 * dt, k2);
    const double2 k3 = slope(stage[2], rate);
    stage[3] = along(s, dt, k3);
    const double2 k4 = slope(stage[3], rate);
    return make_double2(s.x + dt / 6.0 * (k1.x + 2.0 * (k2.x + k3.x) + k4.x),
                        s.y + dt / 6.0 * (k1.y + 2.0 * (k2.y + k3.y) + k4.y));
}

extern "C" __global__ void rk4_adj(const double2 *__restrict__ start, double2 *adj_start,
                                   const double4 *__restrict__ rates, double4 *adj_rates,
                                   double2 *__restrict__ end, const double2 *adj_end, double dt,
                                   int steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double4 rate = rates[i];
    double2 g = adj_end[i];
    double4 g_rate = make_double4(0.0, 0.0, 0.0, 0.0);
    double2 kept[KEPT], stages[SEGMENT][4];
    int at[KEPT], top = 0;  // kept[top] is the state before segment at[top]
    kept[0] = start[i];
    at[0] = 0;
    for (int segment = (steps + SEGMENT - 1) / SEGMENT - 1; segment >= 0; --segment) {
        double2 s = kept[top];
        for (int here = at[top]; here < segment;) {
            const int go = stride(segment + 1 - here, KEPT - 1 - top);
            for (int t = 0; t < go * SEGMENT; ++t) {
                double2 unused[4];
                s = next(s, rate, dt, unused);
            }
            here += go;
            kept[++top] = s;
            at[top] = here;
        }
        --top;

        const int n_steps = min(SEGMENT, steps - segment * SEGMENT);
        for (int t = 0; t < n_steps; ++t)
            s = next(s, rate, dt, stages[t]);
        for (int t = n_steps - 1; t >= 0; --t) {
            const double2 *stage = stages[t];
            const double2 outer = make_double2(dt / 6.0 * g.x, dt / 6.0 * g.y);  // of k1 and k4
            const double2 inner = make_double2(2.0 * outer.x, 2.0 * outer.y);    // of k2 and k3
            const double2 g4 = pull(stage[3], outer, rate, g_rate);
            const double2 g3 = pull(stage[2], along(inner, dt, g4), rate, g_rate);
            const double2 g2 = pull(stage[1], along(inner, 0.5 * dt, g3), rate, g_rate);
            const double2 g1 = pull(stage[0], along(outer, 0.5 * dt, g2), rate, g_rate);
            g.x += g1.x + g2.x + g3.x + g4.x;
            g.y += g1.y + g2.y + g3.y + g4.y;
        }
    }
    adj_start[i].x += g.x;
    adj_start[i].y += g.y;
    adj_rates[i].x += g_rate.x;
    adj_rates[i].y += g_rate.y;
    adj_rates[i].z += g_rate.z;
    adj_rates[i].w += g_rate.w;
}
