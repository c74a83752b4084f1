// Adjoint of euler. The steps are reversed in segments of SEGMENT steps: the states of a segment are computed again,
// starting from the latest of at most KEPT snapshots, so that memory doesn't grow with `steps`.
#define KEPT 16
#define SEGMENT 16

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

__device__ double2 next(double2 s, double k, double dt)
{
    return make_double2(s.x + dt * s.y, s.y + k * (1.0 - s.x * s.x) * s.y - dt * s.x);
}

extern "C" __global__ void euler_adj(const double2 *__restrict__ start, double2 *adj_start,
                                     const double *__restrict__ damping,
                                     double *__restrict__ adj_damping,
                                     double2 *__restrict__ end, const double2 *adj_end, double dt,
                                     int steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double k = dt * damping[i];
    // x' = x + dt v,  v' = v + k q v - dt x  with k = dt mu, q = 1 - x x
    double gx = adj_end[i].x, gv = adj_end[i].y, g_mu = 0.0;
    double2 kept[KEPT], states[SEGMENT];
    int at[KEPT], top = 0;  // kept[top] is the state before segment at[top]
    kept[0] = start[i];
    at[0] = 0;
    for (int segment = (steps + SEGMENT - 1) / SEGMENT - 1; segment >= 0; --segment) {
        double2 s = kept[top];
        for (int here = at[top]; here < segment;) {
            const int go = stride(segment + 1 - here, KEPT - 1 - top);
            for (int t = 0; t < go * SEGMENT; ++t)
                s = next(s, k, dt);
            here += go;
            kept[++top] = s;
            at[top] = here;
        }
        --top;

        const int n_states = min(SEGMENT, steps - segment * SEGMENT);
        states[0] = s;
        for (int t = 1; t < n_states; ++t)
            states[t] = s = next(s, k, dt);
        for (int t = n_states - 1; t >= 0; --t) {
            const double x = states[t].x, v = states[t].y, q = 1.0 - x * x, kg = k * gv;
            g_mu += q * v * gv;
            const double g = gx - dt * gv - 2.0 * x * v * kg;
            gv += dt * gx + q * kg;
            gx = g;
        }
    }
    adj_start[i].x += gx;
    adj_start[i].y += gv;
    adj_damping[i] += dt * g_mu;
}
