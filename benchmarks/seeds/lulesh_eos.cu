// LULESH: the equation of state of each element of a region, with `rep` repetitions for its imbalance.
// After I. Karlin et al., "LULESH programming model and performance ports overview" (2012). Each repetition
// begins with the state at entry. `elements` is a permutation of part of the mesh.
#define TINY 1.111111e-36
#define LEAST_SPEED 3.333333e-18

__device__ double pressure(double energy, double compression, double volume, double p_min, double p_cut,
                           double eosvmax)
{
    const double bvc = 2.0 / 3.0 * (compression + 1.0);
    double p = bvc * energy;
    if (fabs(p) < p_cut)
        p = 0.0;
    if (volume >= eosvmax)
        p = 0.0;
    if (p < p_min)
        p = p_min;
    return p;
}

// The speed of sound; `factor` is the square of a volume.
__device__ double speed(double energy, double factor, double compression, double p, double rho0)
{
    const double bvc = 2.0 / 3.0 * (compression + 1.0);
    const double square = (2.0 / 3.0 * energy + factor * bvc * p) / rho0;
    return square <= TINY ? LEAST_SPEED : sqrt(square);
}

// s2sad: --of e --wrt e --assume injective:elements
extern "C" __global__ void lulesh_eos(const int *__restrict__ elements, double *__restrict__ e,
                                      double *__restrict__ p, double *__restrict__ q,
                                      const double *__restrict__ delv, const double *__restrict__ qq,
                                      const double *__restrict__ ql, const double *__restrict__ vnew,
                                      double *__restrict__ ss, double *__restrict__ v, int length, int rep,
                                      double e_cut, double p_cut, double q_cut, double v_cut, double e_min,
                                      double p_min, double eosvmin, double eosvmax, double rho0)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length)
        return;
    const int z = elements[i];
    double volume = vnew[z];
    if (eosvmin != 0.0 && volume < eosvmin)
        volume = eosvmin;
    if (eosvmax != 0.0 && volume > eosvmax)
        volume = eosvmax;

    const double dv = delv[z];
    double e_new = e[z], p_new = p[z], q_new = q[z], compression = 0.0;
    for (int r = 0; r < rep; ++r) {
        const double e_old = e[z], p_now = p[z], q_old = q[z];
        double p_old = p_now;
        const double middle = volume - 0.5 * dv;
        compression = 1.0 / volume - 1.0;
        double half = 1.0 / middle - 1.0;
        if (eosvmin != 0.0 && volume <= eosvmin)
            half = compression;
        if (eosvmax != 0.0 && volume >= eosvmax) {
            p_old = 0.0;
            compression = 0.0;
            half = 0.0;
        }

        e_new = e_old - 0.5 * dv * (p_old + q_old);
        if (e_new < e_min)
            e_new = e_min;
        const double p_half = pressure(e_new, half, volume, p_min, p_cut, eosvmax);
        const double v_half = 1.0 / (1.0 + half);
        if (dv > 0.0)
            q_new = 0.0;
        else
            q_new = speed(e_new, v_half * v_half, half, p_half, rho0) * ql[z] + qq[z];
        e_new += 0.5 * dv * (3.0 * (p_old + q_old) - 4.0 * (p_half + q_new));
        if (fabs(e_new) < e_cut)
            e_new = 0.0;
        if (e_new < e_min)
            e_new = e_min;

        p_new = pressure(e_new, compression, volume, p_min, p_cut, eosvmax);
        double q_tilde = 0.0;
        if (dv <= 0.0)
            q_tilde = speed(e_new, volume * volume, compression, p_new, rho0) * ql[z] + qq[z];
        e_new -= (7.0 * (p_old + q_old) - 8.0 * (p_half + q_new) + (p_new + q_tilde)) * dv / 6.0;
        if (fabs(e_new) < e_cut)
            e_new = 0.0;
        if (e_new < e_min)
            e_new = e_min;

        p_new = pressure(e_new, compression, volume, p_min, p_cut, eosvmax);
        if (dv <= 0.0) {
            q_new = speed(e_new, volume * volume, compression, p_new, rho0) * ql[z] + qq[z];
            if (fabs(q_new) < q_cut)
                q_new = 0.0;
        }
    }
    p[z] = p_new;
    e[z] = e_new;
    q[z] = q_new;
    ss[z] = speed(e_new, volume * volume, compression, p_new, rho0);
    v[z] = fabs(volume - 1.0) < v_cut ? 1.0 : volume;
}
