// What dual_number.h has, for the functions of dual_special.h.

#define S2SAD_DUAL(name, partial)                                                              \
    inline S2SAD_SELF name(S2SAD_SELF x)                                                       \
    {                                                                                          \
        const S2SAD_PART v = x.v, r = name(v);                                                 \
        (void)v;                                                                               \
        return {r, s2sad_zero(x.d) ? (S2SAD_PART)0 : s2sad_times((S2SAD_PART)(partial), x.d)}; \
    }
S2SAD_DUAL(exp10, r * 2.30258509299404568402)
S2SAD_DUAL(j0, -j1(v))
S2SAD_DUAL(j1, s2sad_value(v) == 0 ? (S2SAD_PART)0.5 : j0(v) - r / v)
S2SAD_DUAL(y0, -y1(v))
S2SAD_DUAL(y1, y0(v) - r / v)
S2SAD_DUAL(sinpi, s2sad_pi * cospi(v))
S2SAD_DUAL(cospi, -s2sad_pi * sinpi(v))
S2SAD_DUAL(erfcx, 2 * v * r - s2sad_two_over_root_pi)
S2SAD_DUAL(erfinv, exp(r * r) / s2sad_two_over_root_pi)
S2SAD_DUAL(erfcinv, -exp(r * r) / s2sad_two_over_root_pi)
S2SAD_DUAL(normcdf, 0.39894228040143267794 * exp(-v * v / 2))
S2SAD_DUAL(normcdfinv, 2.50662827463100050242 * exp(r * r / 2))
S2SAD_DUAL(cyl_bessel_i0, cyl_bessel_i1(v))
S2SAD_DUAL(cyl_bessel_i1, s2sad_value(v) == 0 ? (S2SAD_PART)0.5 : cyl_bessel_i0(v) - r / v)
S2SAD_DUAL(rsqrt, -0.5 * r / v)
S2SAD_DUAL(rcbrt, -r / (3 * v))
#undef S2SAD_DUAL
#define S2SAD_DUAL(name)                                                \
    inline S2SAD_SELF name(int n, S2SAD_SELF x)                         \
    {                                                                   \
        S2SAD_PART slope = 0.5 * (name(n - 1, x.v) - name(n + 1, x.v)); \
        return {name(n, x.v), s2sad_times(slope, x.d)};                 \
    }
S2SAD_DUAL(jn) S2SAD_DUAL(yn)
#undef S2SAD_DUAL
inline void sincospi(S2SAD_SELF x, S2SAD_SELF *s, S2SAD_SELF *c) { *s = sinpi(x), *c = cospi(x); }

inline S2SAD_SELF s2sad_carried_norm(int n, const S2SAD_SELF *p, bool inverse)
{
    double largest = 0;
    S2SAD_PART sum = 0, tangent = 0;
    for (int i = 0; i < n; ++i)
        largest = __builtin_fmax(largest, __builtin_fabs(s2sad_value(p[i])));
    if (!(largest > 0) || __builtin_isinf(largest))
        largest = 1;
    for (int i = 0; i < n; ++i) {
        sum += p[i].v / largest * (p[i].v / largest);
        tangent += s2sad_times(p[i].v / largest, p[i].d);
    }
    S2SAD_PART root = sqrt(sum), r = largest * root, slope = s2sad_times(1 / root, tangent);
    return inverse ? S2SAD_SELF(1 / r, s2sad_times(-1 / r / r, slope)) : S2SAD_SELF(r, slope);
}
#define S2SAD_NORMS(norm, rnorm, norm3d, rnorm3d, norm4d, rnorm4d)                                      \
    S2SAD_APART S2SAD_SELF norm(int n, const S2SAD_SELF *p) { return s2sad_carried_norm(n, p, false); } \
    S2SAD_APART S2SAD_SELF rnorm(int n, const S2SAD_SELF *p) { return s2sad_carried_norm(n, p, true); } \
    S2SAD_INLINE S2SAD_SELF norm3d(S2SAD_SELF a, S2SAD_SELF b, S2SAD_SELF c)                            \
    {                                                                                                   \
        S2SAD_SELF p[3] = {a, b, c};                                                                    \
        return s2sad_carried_norm(3, p, false);                                                         \
    }                                                                                                   \
    S2SAD_INLINE S2SAD_SELF rnorm3d(S2SAD_SELF a, S2SAD_SELF b, S2SAD_SELF c)                           \
    {                                                                                                   \
        S2SAD_SELF p[3] = {a, b, c};                                                                    \
        return s2sad_carried_norm(3, p, true);                                                          \
    }                                                                                                   \
    S2SAD_INLINE S2SAD_SELF norm4d(S2SAD_SELF a, S2SAD_SELF b, S2SAD_SELF c, S2SAD_SELF e)              \
    {                                                                                                   \
        S2SAD_SELF p[4] = {a, b, c, e};                                                                 \
        return s2sad_carried_norm(4, p, false);                                                         \
    }                                                                                                   \
    S2SAD_INLINE S2SAD_SELF rnorm4d(S2SAD_SELF a, S2SAD_SELF b, S2SAD_SELF c, S2SAD_SELF e)             \
    {                                                                                                   \
        S2SAD_SELF p[4] = {a, b, c, e};                                                                 \
        return s2sad_carried_norm(4, p, true);                                                          \
    }
S2SAD_NORMS(norm, rnorm, norm3d, rnorm3d, norm4d, rnorm4d)
S2SAD_NORMS(normf, rnormf, norm3df, rnorm3df, norm4df, rnorm4df)
#undef S2SAD_NORMS
template <S2SAD_DUALS(A, B)> inline S2SAD_SELF rhypot(A a, B b)
{
    S2SAD_SELF p[2] = {a, b};
    return s2sad_carried_norm(2, p, true);
}
S2SAD_INLINE S2SAD_SELF rhypotf(S2SAD_SELF a, S2SAD_SELF b) { return rhypot(a, b); }
