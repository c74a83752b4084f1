// Adjoint of lbm.  of target, wrt source.
//   streaming      each element of target has one thread: a cell takes its 19 seeds from the neighbours, clears
//                  them, and owns its elements of adj_source: +=
//   collision      with weights w, directions e and momentum rho u, the sum of seed x equilibrium is
//                      rho (9/2 u'Mu + 3 u.V + S (1 - 3/2 u^2)),  S = sum w g, V = sum w g e, M = sum w g e e'.
//                  S, V, M and u give all 19 derivatives: population j gets (1 - omega) g_j + base + e_j.d with
//                      d = omega (9 Mu + 3 V - 3 S u),  base = omega (S (1 + 3/2 u^2) - 9/2 u'Mu)
//   accelerated    u is given: d = 0, and base is omega times the bracket above
//   source         only rho and the momentum are needed: no population is kept
#define OBSTACLE 1
#define ACCELERATED 2

// The seed of an element that the primal overwrites.
__device__ float take(float *seed)
{
    const float g = *seed;
    *seed = 0.0f;
    return g;
}

__device__ void swap(float &a, float &b)
{
    const float was = a;
    a = b;
    b = was;
}

// Sums of the four diagonals of a plane, from the signs of their directions: all, by both signs (++ and -- less the
// others), by the sign along the first axis, and along the second.
struct Plane {
    float sum, cross, first, second;
};

__device__ Plane plane(float pp, float mp, float pm, float mm)
{
    const float same = pp + mm, other = pm + mp, along = pp - mm, across = pm - mp;
    return {same + other, same - other, along + across, along - across};
}

extern "C" __global__ void lbm_adj(const float *__restrict__ source, float *__restrict__ adj_source,
                                   const int *__restrict__ flags, float *__restrict__ target,
                                   float *__restrict__ adj_target, int nx, int ny, int nz, float omega)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= nx)
        return;
    const int cells = nx * ny * nz, cell = (z * ny + y) * nx + x;
    const int east = x < nx - 1 ? x + 1 : 0, west = x > 0 ? x - 1 : nx - 1;
    const int north = y < ny - 1 ? y + 1 : 0, south = y > 0 ? y - 1 : ny - 1;
    const int top = z < nz - 1 ? z + 1 : 0, bottom = z > 0 ? z - 1 : nz - 1;
    const int flag = flags[cell];

    float gC = take(&adj_target[cell]);
    float gN = take(&adj_target[cells + (z * ny + north) * nx + x]);
    float gS = take(&adj_target[2 * cells + (z * ny + south) * nx + x]);
    float gE = take(&adj_target[3 * cells + (z * ny + y) * nx + east]);
    float gW = take(&adj_target[4 * cells + (z * ny + y) * nx + west]);
    float gT = take(&adj_target[5 * cells + (top * ny + y) * nx + x]);
    float gB = take(&adj_target[6 * cells + (bottom * ny + y) * nx + x]);
    float gNE = take(&adj_target[7 * cells + (z * ny + north) * nx + east]);
    float gNW = take(&adj_target[8 * cells + (z * ny + north) * nx + west]);
    float gSE = take(&adj_target[9 * cells + (z * ny + south) * nx + east]);
    float gSW = take(&adj_target[10 * cells + (z * ny + south) * nx + west]);
    float gNT = take(&adj_target[11 * cells + (top * ny + north) * nx + x]);
    float gNB = take(&adj_target[12 * cells + (bottom * ny + north) * nx + x]);
    float gST = take(&adj_target[13 * cells + (top * ny + south) * nx + x]);
    float gSB = take(&adj_target[14 * cells + (bottom * ny + south) * nx + x]);
    float gET = take(&adj_target[15 * cells + (top * ny + y) * nx + east]);
    float gEB = take(&adj_target[16 * cells + (bottom * ny + y) * nx + east]);
    float gWT = take(&adj_target[17 * cells + (top * ny + y) * nx + west]);
    float gWB = take(&adj_target[18 * cells + (bottom * ny + y) * nx + west]);

    float keep = 1.0f, base = 0.0f, dx = 0.0f, dy = 0.0f, dz = 0.0f;
    if (flag & OBSTACLE) {
        swap(gN, gS);
        swap(gE, gW);
        swap(gT, gB);
        swap(gNE, gSW);
        swap(gNW, gSE);
        swap(gNT, gSB);
        swap(gNB, gST);
        swap(gET, gWB);
        swap(gEB, gWT);
    } else {
        // S, V and M, times 36: the weights are 12, 2 and 1
        const Plane xy = plane(gNE, gNW, gSE, gSW), yz = plane(gNT, gST, gNB, gSB), xz = plane(gET, gWT, gEB, gWB);
        const float xx = 2.0f * (gE + gW), yy = 2.0f * (gN + gS), zz = 2.0f * (gT + gB);
        const float S = 12.0f * gC + xx + yy + zz + xy.sum + yz.sum + xz.sum;
        const float Vx = 2.0f * (gE - gW) + xy.first + xz.first;
        const float Vy = 2.0f * (gN - gS) + xy.second + yz.first;
        const float Vz = 2.0f * (gT - gB) + yz.second + xz.second;
        const float Mxx = xx + xy.sum + xz.sum, Myy = yy + xy.sum + yz.sum, Mzz = zz + xz.sum + yz.sum;

        float ux = 0.005f, uy = 0.002f, uz = 0.0f;
        if (!(flag & ACCELERATED)) {
            const float *f = source + cell;
            const float fN = f[cells], fS = f[2 * cells], fE = f[3 * cells], fW = f[4 * cells];
            const float fT = f[5 * cells], fB = f[6 * cells];
            const Plane fxy = plane(f[7 * cells], f[8 * cells], f[9 * cells], f[10 * cells]);
            const Plane fyz = plane(f[11 * cells], f[13 * cells], f[12 * cells], f[14 * cells]);
            const Plane fxz = plane(f[15 * cells], f[17 * cells], f[16 * cells], f[18 * cells]);
            const float rho = f[0] + fN + fS + fE + fW + fT + fB + fxy.sum + fyz.sum + fxz.sum;
            const float per_rho = 1.0f / rho;
            ux = per_rho * (fE - fW + fxy.first + fxz.first);
            uy = per_rho * (fN - fS + fxy.second + fyz.first);
            uz = per_rho * (fT - fB + fyz.second + fxz.second);
        }
        const float Mux = Mxx * ux + xy.cross * uy + xz.cross * uz;
        const float Muy = xy.cross * ux + Myy * uy + yz.cross * uz;
        const float Muz = xz.cross * ux + yz.cross * uy + Mzz * uz;
        const float scale = omega * (1.0f / 36.0f);
        const float square = 4.5f * (ux * Mux + uy * Muy + uz * Muz);
        const float u2 = 1.5f * (ux * ux + uy * uy + uz * uz);
        keep = 1.0f - omega;
        if (flag & ACCELERATED) {
            base = scale * (square + 3.0f * (ux * Vx + uy * Vy + uz * Vz) + S * (1.0f - u2));
        } else {
            base = scale * (S * (1.0f + u2) - square);
            dx = scale * (9.0f * Mux + 3.0f * (Vx - S * ux));
            dy = scale * (9.0f * Muy + 3.0f * (Vy - S * uy));
            dz = scale * (9.0f * Muz + 3.0f * (Vz - S * uz));
        }
    }

    adj_source[cell] += keep * gC + base;
    adj_source[cells + cell] += keep * gN + (base + dy);
    adj_source[2 * cells + cell] += keep * gS + (base - dy);
    adj_source[3 * cells + cell] += keep * gE + (base + dx);
    adj_source[4 * cells + cell] += keep * gW + (base - dx);
    adj_source[5 * cells + cell] += keep * gT + (base + dz);
    adj_source[6 * cells + cell] += keep * gB + (base - dz);
    adj_source[7 * cells + cell] += keep * gNE + (base + (dx + dy));
    adj_source[8 * cells + cell] += keep * gNW + (base - (dx - dy));
    adj_source[9 * cells + cell] += keep * gSE + (base + (dx - dy));
    adj_source[10 * cells + cell] += keep * gSW + (base - (dx + dy));
    adj_source[11 * cells + cell] += keep * gNT + (base + (dy + dz));
    adj_source[12 * cells + cell] += keep * gNB + (base + (dy - dz));
    adj_source[13 * cells + cell] += keep * gST + (base - (dy - dz));
    adj_source[14 * cells + cell] += keep * gSB + (base - (dy + dz));
    adj_source[15 * cells + cell] += keep * gET + (base + (dx + dz));
    adj_source[16 * cells + cell] += keep * gEB + (base + (dx - dz));
    adj_source[17 * cells + cell] += keep * gWT + (base - (dx - dz));
    adj_source[18 * cells + cell] += keep * gWB + (base - (dx + dz));
}
