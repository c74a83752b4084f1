// fluxes_adj: adjoint of fluxes (namespaces.cu:26).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform namespaces.cu --of flux --wrt left,right
//
// Call with left and right as they were before fluxes. Seed adj_flux with dJ/dflux: it
// is left alone, because fluxes stores each element of flux at most once. dJ/dleft is
// added to adj_left; dJ/dright is added to adj_right. flux is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a (line 31)             tape_a, a register   line 34 overwrites it
//   b (line 31)             tape_b, a register   line 34 overwrites it
//   fastest, a (line 33),   reloaded             still in its variable
//   b (line 33), speed
//
// How adjoints are added up:
//   adj_left[..]    +=, one owner   one thread per element
//   adj_right[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   max: at a tie the first argument takes the whole adjoint
//   fabsf: at 0 its derivative is 0
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

using real = float;

constexpr real GAMMA = 1.4f;

static __host__ __device__ inline real sound(real pressure, real density)
{
    return sqrt(GAMMA * pressure / density);
}

static __device__ void upwind_adj(real here, real *adj_here,
                                  real there, real *adj_there,
                                  real speed, real *adj_speed, real adj_upwind)
{
    const real to = speed >= (real)0 ? here : there;

    // 19:  return to * speed
    real adj_to = speed * adj_upwind;
    *adj_speed += to * adj_upwind;

    // 18:  const auto to = speed >= real{0} ? here : there
    if (speed >= (real)0)
        *adj_here += adj_to;
    else
        *adj_there += adj_to;
}

static __device__ real sound_adj_pressure(real pressure, real density, real adj_sound)
{
    real adj_pressure = 0.0f;

    // 12:  return sqrt(GAMMA * pressure / density)
    if (adj_sound != 0.0f)
        adj_pressure = 0.5f * GAMMA * adj_sound * rsqrtf(GAMMA * pressure / density) / density;
    return adj_pressure;
}

static __device__ void sound_adj(real pressure, real *adj_pressure,
                                 real density, real *adj_density, real adj_sound)
{
    // 12:  return sqrt(GAMMA * pressure / density)
    if (adj_sound != 0.0f) {
        float g = 0.5f * adj_sound * rsqrtf(GAMMA * pressure / density) / density;
        *adj_pressure += GAMMA * g;
        *adj_density -= GAMMA * pressure / density * g;
    }
}

__global__ void fluxes_adj(const real *left, real *adj_left,
                           const real *right, real *adj_right,
                           real *flux, const real *adj_flux, int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned int)n)
        return;
    real a = left[i];
    real tape_a = a;
    real b = right[i];
    real tape_b = b;
    float fastest = max(sound(a, (real)1), sound(b, a));
    if (a < b) {
        real a_was = a;
        a = b;
        b = a_was;
    }
    const float speed = (float)0.5 * (a - b) + (float)(n > 2) * fastest;
    float adj_speed = 0.0f;
    real adj_b = 0.0f;
    real adj_a = 0.0f;

    // 36:  flux[i] = upwind(a, b, speed) - ::fabsf(b)
    real g = adj_flux[i];
    upwind_adj(a, &adj_a, b, &adj_b, speed, &adj_speed, g);
    adj_b -= (b > 0.0f ? 1.0f : b < 0.0f ? -1.0f : 0.0f) * g;

    // 35:  const auto speed = float(0.5) * (a - b) + static_cast<float>(n > 2) * fastest
    float g_2 = (float)0.5 * adj_speed;
    adj_a += g_2;
    adj_b -= g_2;
    float adj_fastest = (float)(n > 2) * adj_speed;
    if (tape_a < tape_b) {
        // 34:  std::swap(a, b)
        real adj_a_was = adj_b;
        adj_b = adj_a;

        // 34:  a
        adj_a = adj_a_was;
    }

    // 32:  auto fastest = max(detail::sound(a), gas::detail::sound(b, a))
    if (fastest == sound(tape_a, (real)1))
        adj_a += sound_adj_pressure(tape_a, (real)1, adj_fastest);
    else
        sound_adj(tape_b, &adj_b, tape_a, &adj_a, adj_fastest);

    // 31:  gas::real a(left[i])
    adj_left[i] += adj_a;
    // 31:  b{right[i]}
    adj_right[i] += adj_b;
}
