// math_outputs_adj: adjoint of math_outputs (math_outputs.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform math_outputs.cu --of y --wrt x,z --mode split
//
// First launch math_outputs_fwd, with the same grid and block: it does what
// math_outputs does. Call with x and z as they were before math_outputs. adj_y comes in
// as dJ/dy after math_outputs and goes out as dJ/dy before it, element by element.
// dJ/dx is added to adj_x; dJ/dz is added to adj_z. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, s, part, mantissa,       recomputed               from values at hand
//   exponent, rest, quotient,
//   whole (line 15),
//   c (line 15)
//   c (line 10)                 tape_c, a register       line 15 overwrites it
//   z[..], x[..]                reloaded                 nothing stores to it
//   whole (line 11)             tape_whole, a register   line 15 overwrites it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   modff: the whole part is piecewise constant and takes nothing
//   frexpf: at powers of two the derivative is that of the value taken
//   frexpf: where its partial is infinite a zero adjoint contributes zero
//   remquof: at its jumps the derivative is that of the value taken
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void math_outputs_fwd(const float *x, const float *z, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s;
    float c;
    float whole;
    int exponent;
    int quotient;
    sincosf(x[i] * z[i], &s, &c);
    float part = modff(3.0f * x[i], &whole);
    float mantissa = frexpf(z[i], &exponent);
    float rest = remquof(x[i], z[i], &quotient);
    y[i] = s * c + part * whole + mantissa * exponent + rest * (quotient % 2 ? 1.0f : 2.0f);
    sincospif(s, &c, &whole);
    y[i] += c * whole;
}

extern "C" __global__ void math_outputs_adj(const float *x, float *adj_x,
                                            const float *z, float *adj_z,
                                            float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s;
    float c;
    float whole;
    int exponent;
    int quotient;
    sincosf(x[i] * z[i], &s, &c);
    float tape_c = c;
    modff(3.0f * x[i], &whole);
    float tape_whole = whole;
    float mantissa = frexpf(z[i], &exponent);
    float rest = remquof(x[i], z[i], &quotient);
    sincospif(s, &c, &whole);

    // 16:  y[i] += c * whole
    float g = adj_y[i];
    float adj_c = whole * g;

    // 15:  sincospif(s, &c, &whole)
    float adj_s = 3.141592653589793f * whole * adj_c - 3.141592653589793f * c * c * g;

    // 14:  y[i] = s * c + part * whole + mantissa * exponent + rest * (quotient % 2 ? 1.0f : 2.0f)
    float g_2 = adj_y[i];
    adj_s += tape_c * g_2;
    adj_c = s * g_2;
    float adj_mantissa = exponent * g_2;
    float adj_rest = (quotient % 2 ? 1.0f : 2.0f) * g_2;
    adj_y[i] = 0.0f;

    // 11:  float part = modff(3.0f * x[i], &whole)
    adj_x[i] += 3.0f * tape_whole * g_2;

    // 13:  float rest = remquof(x[i], z[i], &quotient)
    adj_x[i] += adj_rest;
    adj_z[i] -= rintf((x[i] - rest) / z[i]) * adj_rest;

    // 12:  float mantissa = frexpf(z[i], &exponent)
    if (adj_mantissa != 0.0f)
        adj_z[i] += mantissa * adj_mantissa / z[i];

    // 10:  sincosf(x[i] * z[i], &s, &c)
    float g_3 = -(s * adj_c);
    adj_x[i] += z[i] * g_3;
    adj_z[i] += x[i] * g_3;
    float g_4 = tape_c * adj_s;
    adj_x[i] += z[i] * g_4;
    adj_z[i] += x[i] * g_4;
}
