// Shallow water: one finite-volume step in two dimensions with Rusanov fluxes and friction.
// After E. Toro, "Shock-Capturing Methods for Free-Surface Shallow Flows", chapter 10.

constexpr float G = 9.81f;

struct State {
    float h, hu, hv;
};

__device__ inline State operator+(State a, State b) { return {a.h + b.h, a.hu + b.hu, a.hv + b.hv}; }
__device__ inline State operator-(State a, State b) { return {a.h - b.h, a.hu - b.hu, a.hv - b.hv}; }
__device__ inline State operator*(float s, State a) { return {s * a.h, s * a.hu, s * a.hv}; }

// What flows through a face whose normal is x; a y-face is the same with the momenta swapped.
__device__ State rusanov(const State &l, const State &r)
{
    const float ul = l.hu / l.h, ur = r.hu / r.h;
    const State fl = {l.hu, l.hu * ul + 0.5f * G * l.h * l.h, l.hv * ul};
    const State fr = {r.hu, r.hu * ur + 0.5f * G * r.h * r.h, r.hv * ur};
    const float speed = fmaxf(fabsf(ul) + sqrtf(G * l.h), fabsf(ur) + sqrtf(G * r.h));
    return 0.5f * (fl + fr) - (0.5f * speed) * (r - l);
}

__device__ State turned(State a) { return {a.h, a.hv, a.hu}; }

// s2sad: --of next --wrt now,bed
extern "C" __global__ void swe_rusanov(const State *__restrict__ now, const float *__restrict__ bed,
                                       State *__restrict__ next, float manning, float dt, float dx, int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1)
        return;

    const int c = j * nx + i;
    const State q = now[c];
    State change = rusanov(now[c - 1], q) - rusanov(q, now[c + 1]);
    change = change + turned(rusanov(turned(now[c - nx]), turned(q)) - rusanov(turned(q), turned(now[c + nx])));
    change.hu -= 0.5f * G * q.h * (bed[c + 1] - bed[c - 1]);
    change.hv -= 0.5f * G * q.h * (bed[c + nx] - bed[c - nx]);

    State out = q + (dt / dx) * change;
    const float speed = sqrtf(q.hu * q.hu + q.hv * q.hv) / q.h;
    const float drag = 1.0f + dt * G * manning * manning * speed / powf(q.h, 4.0f / 3.0f);
    out.hu /= drag;
    out.hv /= drag;
    next[c] = out;
}
