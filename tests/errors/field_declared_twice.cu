// s2sad: --of y --wrt x
struct Pair {
    float a;
    int a;
//  ^^^^^ declared-twice: second declaration
};

extern "C" __global__ void k(const float *x, float *y)
{
    Pair p = {x[0], 1};
//            ^^^^ type-error: the rest is too many for Pair
    y[0] = p.a;
}
