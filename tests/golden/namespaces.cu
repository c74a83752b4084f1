// s2sad: --of flux --wrt left,right
// Upwind fluxes of a gas: helpers in nested namespaces, an alias for the type, deduced types,
// a default argument, casts in C++'s forms, and functions of std.

namespace gas {
using real = float;
constexpr real GAMMA = 1.4f;

namespace detail {
__host__ __device__ inline real sound(real pressure, real density = real(1))
{
    return sqrt(GAMMA * pressure / density);
}
}

__device__ real upwind(real here, real there, real speed)
{
    const auto to = speed >= real{0} ? here : there;
    return to * speed;
}
}

namespace scheme {
using namespace gas;

__global__ void fluxes(const gas::real *left, const gas::real *right, gas::real *flux, int n)
{
    auto i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= static_cast<unsigned>(n))
        return;
    gas::real a(left[i]), b{right[i]};
    auto fastest = max(detail::sound(a), gas::detail::sound(b, a));
    if (a < b)
        std::swap(a, b);
    const auto speed = float(0.5) * (a - b) + static_cast<float>(n > 2) * fastest;
    flux[i] = upwind(a, b, speed) - ::fabsf(b);
}
}
