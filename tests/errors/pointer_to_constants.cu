extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    const float *p = x + i;
    *p = 1.0f;
//  ^^ assignment-to-const: declared const
    float *q = (float *)x;
    float *r = x;
//             ^ type-error: needs `const float *`
    const double *d = (const double *)x;
//                    ^^^^^^^^^^^^^^^^^ bit-reinterpretation: `(const double *)x` has no derivative
    y[i] = *p + q[i] + r[i] + (float)d[0];
}
