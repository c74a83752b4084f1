// Tangents of functions that C's library lacks, and of functions composed of several.
#pragma once

namespace cuda_on_cpu {

#define S2SAD_DUAL(name, value, partial)                                       \
    inline s2sad_dual name(s2sad_dual x)                                       \
    {                                                                          \
        const double v = x.v, r = value;                                       \
        (void)v;                                                               \
        return {r, x.d == 0 ? 0 : s2sad_times(partial, x.d)};                  \
    }
S2SAD_DUAL(exp10, exp10(v), r * 2.30258509299404568402)
S2SAD_DUAL(j0, s2sad_library_j0(v), -s2sad_library_j1(v))
S2SAD_DUAL(j1, s2sad_library_j1(v), v == 0 ? 0.5 : s2sad_library_j0(v) - r / v)
S2SAD_DUAL(y0, s2sad_library_y0(v), -s2sad_library_y1(v))
S2SAD_DUAL(y1, s2sad_library_y1(v), s2sad_library_y0(v) - r / v)
S2SAD_DUAL(sinpi, s2sad_sinpi(v), s2sad_pi * s2sad_cospi(v))
S2SAD_DUAL(cospi, s2sad_cospi(v), -s2sad_pi * s2sad_sinpi(v))
S2SAD_DUAL(erfcx, s2sad_erfcx(v), 2 * v * r - s2sad_two_over_root_pi)
S2SAD_DUAL(erfinv, s2sad_erfinv(v), __builtin_exp(r * r) / s2sad_two_over_root_pi)
S2SAD_DUAL(erfcinv, s2sad_erfcinv(v), -__builtin_exp(r * r) / s2sad_two_over_root_pi)
S2SAD_DUAL(normcdf, s2sad_normcdf(v), 0.39894228040143267794 * __builtin_exp(-v * v / 2))
S2SAD_DUAL(normcdfinv, s2sad_normcdfinv(v), 2.50662827463100050242 * __builtin_exp(r * r / 2))
S2SAD_DUAL(cyl_bessel_i0, s2sad_cyl_bessel_i0(v), s2sad_cyl_bessel_i1(v))
S2SAD_DUAL(cyl_bessel_i1, s2sad_cyl_bessel_i1(v), v == 0 ? 0.5 : s2sad_cyl_bessel_i0(v) - r / v)
S2SAD_DUAL(rsqrt, s2sad_rsqrt(v), -0.5 * r / v)
S2SAD_DUAL(rcbrt, s2sad_rcbrt(v), -r / (3 * v))
#undef S2SAD_DUAL
#define S2SAD_DUAL(name)                                                                                    \
    inline s2sad_dual name(int n, s2sad_dual x)                                                             \
    {                                                                                                       \
        double slope = 0.5 * (s2sad_library_##name(n - 1, x.v) - s2sad_library_##name(n + 1, x.v));         \
        return {s2sad_library_##name(n, x.v), s2sad_times(slope, x.d)};                                     \
    }
S2SAD_DUAL(jn) S2SAD_DUAL(yn)
#undef S2SAD_DUAL
inline void sincospi(s2sad_dual x, s2sad_dual *s, s2sad_dual *c) { *s = sinpi(x), *c = cospi(x); }

inline s2sad_dual s2sad_dual_norm(int n, const s2sad_dual *p, bool inverse)
{
    double largest = 0, sum = 0, tangent = 0;
    for (int i = 0; i < n; ++i)
        largest = __builtin_fmax(largest, __builtin_fabs(p[i].v));
    if (!(largest > 0) || __builtin_isinf(largest))
        largest = 1;
    for (int i = 0; i < n; ++i) {
        sum += p[i].v / largest * (p[i].v / largest);
        tangent += s2sad_times(p[i].v / largest, p[i].d);
    }
    double root = __builtin_sqrt(sum), r = largest * root, slope = s2sad_times(1 / root, tangent);
    return inverse ? s2sad_dual(1 / r, s2sad_times(-1 / r / r, slope)) : s2sad_dual(r, slope);
}
#define S2SAD_NORMS(norm, rnorm, norm3d, rnorm3d, norm4d, rnorm4d)                                                       \
    S2SAD_APART s2sad_dual norm(int n, const s2sad_dual *p) { return s2sad_dual_norm(n, p, false); }                     \
    S2SAD_APART s2sad_dual rnorm(int n, const s2sad_dual *p) { return s2sad_dual_norm(n, p, true); }                     \
    S2SAD_INLINE s2sad_dual norm3d(s2sad_dual a, s2sad_dual b, s2sad_dual c)                                             \
    {                                                                                                                    \
        s2sad_dual p[3] = {a, b, c};                                                                                     \
        return s2sad_dual_norm(3, p, false);                                                                             \
    }                                                                                                                    \
    S2SAD_INLINE s2sad_dual rnorm3d(s2sad_dual a, s2sad_dual b, s2sad_dual c)                                            \
    {                                                                                                                    \
        s2sad_dual p[3] = {a, b, c};                                                                                     \
        return s2sad_dual_norm(3, p, true);                                                                              \
    }                                                                                                                    \
    S2SAD_INLINE s2sad_dual norm4d(s2sad_dual a, s2sad_dual b, s2sad_dual c, s2sad_dual e)                               \
    {                                                                                                                    \
        s2sad_dual p[4] = {a, b, c, e};                                                                                  \
        return s2sad_dual_norm(4, p, false);                                                                             \
    }                                                                                                                    \
    S2SAD_INLINE s2sad_dual rnorm4d(s2sad_dual a, s2sad_dual b, s2sad_dual c, s2sad_dual e)                              \
    {                                                                                                                    \
        s2sad_dual p[4] = {a, b, c, e};                                                                                  \
        return s2sad_dual_norm(4, p, true);                                                                              \
    }
S2SAD_NORMS(norm, rnorm, norm3d, rnorm3d, norm4d, rnorm4d)
S2SAD_NORMS(normf, rnormf, norm3df, rnorm3df, norm4df, rnorm4df)
#undef S2SAD_NORMS
template <S2SAD_DUALS(A, B)> inline s2sad_dual rhypot(A a, B b)
{
    s2sad_dual p[2] = {a, b};
    return s2sad_dual_norm(2, p, true);
}
S2SAD_INLINE s2sad_dual rhypotf(s2sad_dual a, s2sad_dual b) { return rhypot(a, b); }

}  // namespace cuda_on_cpu
