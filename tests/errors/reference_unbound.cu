__device__ void bump(float &v)
{
    v += 1.0f;
}

extern "C" __global__ void up(const float *x, float *y, int &n)
//                                                      ^^^^^^ no-references: its referent isn't known here
{
    const float s = x[threadIdx.x];
    double d = 1.0;
    bump(s);
//       ^ type-error: needs a `const` reference
    bump(d);
//       ^ type-error: needs a variable of the same type
    bump(2.0f * s);
//       ^^^^^^^^ type-error: needs a variable of the same type
    float &r = s;
//             ^ type-error: needs `const`
    double &q = 2.0 * d;
//              ^^^^^^^ type-error: only a `const` reference can bind to it
    float &unbound;
//  ^^^^^^^^^^^^^^ no-references: its referent isn't known here
    y[threadIdx.x] = s;
}
