// The functions that coverage marks call: they record statements and sides of conditions (see counting.py).
//
// A mark in a constant-evaluated context records nothing. Whether a condition is constant is recorded
// when the library is loaded, whether the condition runs or not.
#pragma once

#ifdef S2SAD_COUNTED
extern "C" {
S2SAD_HIDDEN extern unsigned char s2sad_reached[];
S2SAD_HIDDEN extern unsigned char s2sad_known[];
}
S2SAD_UNSEEN __attribute__((noinline, unused)) static void s2sad_mark(unsigned point) { s2sad_reached[point] = 1; }

template <unsigned Point, unsigned char What> struct s2sad_knows { static bool told; };
template <unsigned Point, unsigned char What>
bool s2sad_knows<Point, What>::told = ((s2sad_known[Point] |= What), true);

#define S2SAD_MARKS constexpr inline __attribute__((always_inline, unused))
S2SAD_MARKS void s2sad_hit(unsigned point)
{
    if (!__builtin_is_constant_evaluated())
        s2sad_mark(point);
}
template <unsigned Point, bool Constant> S2SAD_MARKS bool s2sad_side(bool yes)
{
    (void)&s2sad_knows<Point, Constant ? 1 : 2>::told;
    (void)&s2sad_knows<Point + 1, Constant ? 1 : 2>::told;
    s2sad_hit(yes ? Point : Point + 1);
    return yes;
}
template <unsigned Point> S2SAD_MARKS void s2sad_fixed()
{
    (void)&s2sad_knows<Point, 1>::told;
    (void)&s2sad_knows<Point + 1, 1>::told;
}
// Record a first test of a loop that fails, and a test after its first trip that passes.
template <unsigned Point, bool Constant> S2SAD_MARKS bool s2sad_trip(unsigned trips, bool again)
{
    (void)&s2sad_knows<Point, Constant ? 1 : 2>::told;
    if (trips == 0 && !again)
        s2sad_hit(Point);
    if (trips == 1 && again)
        s2sad_hit(Point + 1);
    return again;
}
template <unsigned Point, bool Constant> S2SAD_MARKS bool s2sad_again(unsigned trips, bool again)
{
    (void)&s2sad_knows<Point, Constant ? 1 : 2>::told;
    if (trips == 0 && again)
        s2sad_hit(Point);
    return again;
}
#endif
