// The part of namespace std that device code uses: types are the library's, functions are CUDA's.
#include <limits>
#include <type_traits>
#include <utility>
namespace std {
using namespace ::std;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::size_t; using ::ptrdiff_t;
using cuda_on_cpu::abs; using cuda_on_cpu::acos; using cuda_on_cpu::acosh; using cuda_on_cpu::asin;
using cuda_on_cpu::asinh; using cuda_on_cpu::atan; using cuda_on_cpu::atan2; using cuda_on_cpu::atanh;
using cuda_on_cpu::cbrt; using cuda_on_cpu::ceil; using cuda_on_cpu::copysign; using cuda_on_cpu::cos;
using cuda_on_cpu::cosh; using cuda_on_cpu::erf; using cuda_on_cpu::erfc; using cuda_on_cpu::exp;
using cuda_on_cpu::exp2; using cuda_on_cpu::expm1; using cuda_on_cpu::fabs; using cuda_on_cpu::floor;
using cuda_on_cpu::fma; using cuda_on_cpu::fmax; using cuda_on_cpu::fmin; using cuda_on_cpu::fmod;
using cuda_on_cpu::hypot; using cuda_on_cpu::isfinite; using cuda_on_cpu::isinf; using cuda_on_cpu::isnan;
using cuda_on_cpu::ldexp; using cuda_on_cpu::lgamma; using cuda_on_cpu::log; using cuda_on_cpu::log10;
using cuda_on_cpu::log1p; using cuda_on_cpu::log2; using cuda_on_cpu::max; using cuda_on_cpu::min;
using cuda_on_cpu::pow; using cuda_on_cpu::rint; using cuda_on_cpu::round; using cuda_on_cpu::sin;
using cuda_on_cpu::sinh; using cuda_on_cpu::sqrt; using cuda_on_cpu::tan; using cuda_on_cpu::tanh;
using cuda_on_cpu::tgamma; using cuda_on_cpu::trunc;
}
