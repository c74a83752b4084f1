// Adjoint of lulesh_eos.  of e, wrt e; adj_p and adj_q are zero on entry, and dJ/dp, dJ/dq before on return.
//   repetitions    each begins with the state at entry: one is enough, the last
//   forward sweep  keeps what the reverse sweep needs: the slopes of p + q by e in both half steps, and whether e
//                  was cut. p and q at entry act by their sum alone; those at the end don't act on e
//   half           with 1 + half = 1 / m, bvc is 2/3 / m, and v_half^2 bvc is 2/3 m
//   adj_e, adj_p, adj_q   elements is injective: a thread owns its element
#define TINY 1.111111e-36
#define LEAST_SPEED 3.333333e-18

// A number and its derivative by e; a constant has none.
struct Slope {
    double value, slope;
};

// Cut e off near zero and from below; return its derivative.
__device__ double cut(double &e, double e_cut, double e_min)
{
    double slope = 1.0;
    if (fabs(e) < e_cut) {
        e = 0.0;
        slope = 0.0;
    }
    if (e < e_min) {
        e = e_min;
        slope = 0.0;
    }
    return slope;
}

__device__ Slope pressure(double e, double bvc, bool expanded, double p_min, double p_cut)
{
    Slope p = {bvc * e, bvc};
    if (fabs(p.value) < p_cut || expanded)
        p = {0.0, 0.0};
    if (p.value < p_min)
        p = {p_min, 0.0};
    return p;
}

// p plus the viscosity: the speed of sound, the root of e_part e + p_part p, times ql, plus qq.
__device__ Slope with_viscosity(Slope p, double e, double e_part, double p_part, double ql, double qq)
{
    const double square = e_part * e + p_part * p.value;
    if (square <= TINY)
        return {p.value + (LEAST_SPEED * ql + qq), p.slope};
    const double speed = sqrt(square);
    return {p.value + (speed * ql + qq), p.slope + 0.5 * ql / speed * (e_part + p_part * p.slope)};
}

extern "C" __global__ void lulesh_eos_adj(const int *__restrict__ elements, double *__restrict__ e,
                                          double *__restrict__ adj_e, double *__restrict__ p,
                                          double *__restrict__ adj_p, double *__restrict__ q,
                                          double *__restrict__ adj_q, const double *__restrict__ delv,
                                          const double *__restrict__ qq, const double *__restrict__ ql,
                                          const double *__restrict__ vnew, double *__restrict__ ss,
                                          double *__restrict__ v, int length, int rep, double e_cut, double p_cut,
                                          double q_cut, double v_cut, double e_min, double p_min, double eosvmin,
                                          double eosvmax, double rho0)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length || rep <= 0)  // without a repetition nothing changes
        return;
    const int z = elements[i];
    const double dv = delv[z];
    double volume = vnew[z], p_old = p[z];
    if (eosvmin != 0.0 && volume < eosvmin)
        volume = eosvmin;
    if (eosvmax != 0.0 && volume > eosvmax)
        volume = eosvmax;
    const bool expanded = volume >= eosvmax;

    double full = volume, half = volume - 0.5 * dv;  // 1 / (1 + compression), 1 / (1 + half)
    if (eosvmin != 0.0 && volume <= eosvmin)
        half = volume;
    if (eosvmax != 0.0 && expanded) {
        p_old = 0.0;
        full = 1.0;
        half = 1.0;
    }
    const double old = p_old + q[z];
    const double e_part = 2.0 / 3.0 / rho0;

    // ---- forward: the energy of each step, and the slopes
    double now = e[z] - 0.5 * dv * old;
    const double first = cut(now, 0.0, e_min);
    Slope mid = pressure(now, 2.0 / 3.0 / half, expanded, p_min, p_cut);
    if (dv <= 0.0)
        mid = with_viscosity(mid, now, e_part, e_part * half, ql[z], qq[z]);
    now += 0.5 * dv * (3.0 * old - 4.0 * mid.value);
    const double second = cut(now, e_cut, e_min);
    Slope end = pressure(now, 2.0 / 3.0 / full, expanded, p_min, p_cut);
    if (dv <= 0.0)
        end = with_viscosity(end, now, e_part, e_part * volume * volume / full, ql[z], qq[z]);
    now -= (7.0 * old - 8.0 * mid.value + end.value) * (dv / 6.0);

    // ---- reverse
    double g = adj_e[z] * cut(now, e_cut, e_min);
    double g_old = -7.0 / 6.0 * dv * g, g_mid = 4.0 / 3.0 * dv * g;
    g = second * (g - dv / 6.0 * end.slope * g);
    g_old += 1.5 * dv * g;
    g_mid -= 2.0 * dv * g;
    g = first * (g + mid.slope * g_mid);
    g_old -= 0.5 * dv * g;
    adj_e[z] = g;
    adj_q[z] = g_old;
    adj_p[z] = eosvmax != 0.0 && expanded ? 0.0 : g_old;
}
