// face_fluxes_adj: adjoint of face_fluxes (swe_hydrostatic.cu:34).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform swe_hydrostatic.cu --of dh,dq --wrt h,q,z
//
// Call with h, q and z as they were before face_fluxes. Seed adj_dh with dJ/ddh: it is
// left alone, because face_fluxes only adds to dh. Seed adj_dq with dJ/ddq: it is left
// alone, because face_fluxes only adds to dq. dJ/dh is added to adj_h; dJ/dq is added
// to adj_q; dJ/dz is added to adj_z. dh and dq are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   top, hl, hr, ul, ur, cl,    reloaded   still in its variable
//   cr, sl, sr, fl, fr, mass,
//   momentum
//   z[..], h[..], q[..]         reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_z[..]   atomicAdd   unless the launch is 1-D, several threads read the same
//                           z[l]
//   adj_h[..]   atomicAdd   unless the launch is 1-D, several threads read the same
//                           h[l]
//   adj_q[..]   atomicAdd   unless the launch is 1-D, several threads read the same
//                           q[l]
//
// At kinks and singular points:
//   fmax: at a tie the first argument takes the whole adjoint
//   sqrt: where its partial is infinite a zero adjoint contributes zero
//   fmin: at a tie the first argument takes the whole adjoint
//
// Of the template face_fluxes this is the instance with real = double.
//
// Assumed: arrays don't overlap, no index wraps.

struct Params {
    double g, dry;
};

static __device__ __forceinline__ double velocity(double h, double q, double dry)
{
    return h > dry ? q / h : (double)0;
}

static __device__ double sq_adj(double x, double adj_sq)
{
    // vec.cuh:26:  return x * x
    return 2.0 * x * adj_sq;
}

static __device__ void velocity_adj(double h, double *adj_h,
                                    double q, double *adj_q, double dry, double adj_velocity)
{
    // 12:  return h > dry ? q / h : real(0)
    if (h > dry) {
        double g = adj_velocity / h;
        *adj_q += g;
        *adj_h -= q / h * g;
    }
}

extern "C" __global__ void face_fluxes_adj(const double *h, double *adj_h,
                                           const double *q, double *adj_q,
                                           const double *z, double *adj_z,
                                           double *dh, const double *adj_dh,
                                           double *dq, const double *adj_dq, Params p, int cells)
{
    const int face = blockIdx.x * blockDim.x + threadIdx.x;
    if (face >= cells - 1)
        return;
    const int l = face;
    const int r = face + 1;

    const double top = fmax(z[l], z[r]);
    const double hl = fmax(h[l] + z[l] - top, (double)0);
    const double hr = fmax(h[r] + z[r] - top, (double)0);
    double ul = velocity(h[l], q[l], p.dry);
    double ur = velocity(h[r], q[r], p.dry);
    const double cl = sqrt(p.g * hl);
    const double cr = sqrt(p.g * hr);
    const double sl = fmin(fmin(ul - cl, ur - cr), (double)0);
    const double sr = fmax(fmax(ul + cl, ur + cr), (double)0);

    // 50:  atomicAdd(&dq[r], momentum + real(0.5) * p.g * (sq(h[r]) - sq(hr)))
    double g = adj_dq[r];
    double adj_momentum = g;
    double g_2 = (double)0.5 * p.g * g;
    double adj_h_r = sq_adj(h[r], g_2);
    double adj_hr = sq_adj(hr, -g_2);

    // 49:  atomicAdd(&dq[l], -momentum - real(0.5) * p.g * (sq(h[l]) - sq(hl)))
    double g_3 = adj_dq[l];
    adj_momentum -= g_3;
    double g_4 = -((double)0.5 * p.g * g_3);
    double adj_h_l = sq_adj(h[l], g_4);
    double adj_hl = sq_adj(hl, -g_4);

    // 48:  atomicAdd(&dh[r], mass)
    double adj_mass = adj_dh[r];

    // 47:  atomicAdd(&dh[l], -mass)
    adj_mass -= adj_dh[l];
    double adj_ul = 0.0;
    double adj_ur = 0.0;
    double adj_sl = 0.0;
    double adj_sr = 0.0;
    if (!(sr - sl < p.dry)) {
        double momentum;
        double mass;
        const double fl = hl * ul * ul + (double)0.5 * p.g * hl * hl;
        const double fr = hr * ur * ur + (double)0.5 * p.g * hr * hr;
        mass = (sr * hl * ul - sl * hr * ur + sl * sr * (hr - hl)) / (sr - sl);
        momentum = (sr * fl - sl * fr + sl * sr * (hr * ur - hl * ul)) / (sr - sl);

        // 28:  *momentum = (sr * fl - sl * fr + sl * sr * (hr * ur - hl * ul)) / (sr - sl)
        double g = adj_momentum / (sr - sl);
        adj_sr = fl * g;
        double adj_fl = sr * g;
        adj_sl = -(fr * g);
        double adj_fr = -(sl * g);
        double g_2 = (hr * ur - hl * ul) * g;
        adj_sl += sr * g_2;
        adj_sr += sl * g_2;
        double g_3 = sl * sr * g;
        adj_hr += ur * g_3;
        adj_ur += hr * g_3;
        adj_hl -= ul * g_3;
        adj_ul -= hl * g_3;
        double g_4 = -(momentum * g);
        adj_sr += g_4;
        adj_sl -= g_4;

        // 27:  *mass = (sr * hl * ul - sl * hr * ur + sl * sr * (hr - hl)) / (sr - sl)
        double g_5 = adj_mass / (sr - sl);
        double g_6 = ul * g_5;
        adj_sr += hl * g_6;
        adj_hl += sr * g_6;
        adj_ul += sr * hl * g_5;
        double g_7 = -(ur * g_5);
        adj_sl += hr * g_7;
        adj_hr += sl * g_7;
        adj_ur -= sl * hr * g_5;
        double g_8 = (hr - hl) * g_5;
        adj_sl += sr * g_8;
        adj_sr += sl * g_8;
        double g_9 = sl * sr * g_5;
        adj_hr += g_9;
        adj_hl -= g_9;
        double g_10 = -(mass * g_5);
        adj_sr += g_10;
        adj_sl -= g_10;

        // 26:  const real fr = hr * ur * ur + real(0.5) * p.g * hr * hr
        adj_hr += (ur * ur + 2.0 * (double)0.5 * p.g * hr) * adj_fr;
        adj_ur += 2.0 * hr * ur * adj_fr;

        // 25:  const real fl = hl * ul * ul + real(0.5) * p.g * hl * hl
        adj_hl += (ul * ul + 2.0 * (double)0.5 * p.g * hl) * adj_fl;
        adj_ul += 2.0 * hl * ul * adj_fl;
    }
    double adj_cr = 0.0;
    double adj_cl = 0.0;

    // 20:  const real sr = fmax(fmax(ul + cl, ur + cr), real(0))
    if (fmax(ul + cl, ur + cr) >= 0.0)
        if (fmax(ul + cl, ur + cr) == ul + cl) {
            adj_ul += adj_sr;
            adj_cl += adj_sr;
        } else {
            adj_ur += adj_sr;
            adj_cr += adj_sr;
        }

    // 19:  const real sl = fmin(fmin(ul - cl, ur - cr), real(0))
    if (fmin(ul - cl, ur - cr) <= 0.0)
        if (fmin(ul - cl, ur - cr) == ul - cl) {
            adj_ul += adj_sl;
            adj_cl -= adj_sl;
        } else {
            adj_ur += adj_sl;
            adj_cr -= adj_sl;
        }

    // 18:  cr = sqrt(p.g * hr)
    if (adj_cr != 0.0)
        adj_hr += 0.5 * p.g * adj_cr / cr;
    // 18:  const real cl = sqrt(p.g * hl)
    if (adj_cl != 0.0)
        adj_hl += 0.5 * p.g * adj_cl / cl;

    // 45:  velocity(h[r], q[r], p.dry)
    double adj_h_2 = 0.0;
    double adj_q_2 = 0.0;
    velocity_adj(h[r], &adj_h_2, q[r], &adj_q_2, p.dry, adj_ur);
    atomicAdd(&adj_h[r], adj_h_r + adj_h_2);
    atomicAdd(&adj_q[r], adj_q_2);

    // 45:  velocity(h[l], q[l], p.dry)
    double adj_h_3 = 0.0;
    double adj_q_3 = 0.0;
    velocity_adj(h[l], &adj_h_3, q[l], &adj_q_3, p.dry, adj_ul);
    atomicAdd(&adj_h[l], adj_h_l + adj_h_3);
    atomicAdd(&adj_q[l], adj_q_3);
    double adj_top = 0.0;

    // 43:  const real hr = fmax(h[r] + z[r] - top, real(0))
    if (h[r] + z[r] - top >= 0.0) {
        atomicAdd(&adj_h[r], adj_hr);
        atomicAdd(&adj_z[r], adj_hr);
        adj_top -= adj_hr;
    }

    // 42:  const real hl = fmax(h[l] + z[l] - top, real(0))
    if (h[l] + z[l] - top >= 0.0) {
        atomicAdd(&adj_h[l], adj_hl);
        atomicAdd(&adj_z[l], adj_hl);
        adj_top -= adj_hl;
    }

    // 41:  const real top = fmax(z[l], z[r])
    if (top == z[l])
        atomicAdd(&adj_z[l], adj_top);
    else
        atomicAdd(&adj_z[r], adj_top);
}
