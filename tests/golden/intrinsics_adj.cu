// intrinsics_adj: adjoint of intrinsics (intrinsics.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform intrinsics.cu --of y --wrt x,z
//
// Call with x and z as they were before intrinsics. Seed adj_y with dJ/dy: it is left
// alone, because intrinsics stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dz is added to adj_z. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, w, a, b, c, d   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   __powf: where its partial is infinite a zero adjoint contributes zero
//   __powf: where the base isn't positive, the exponent takes nothing
//   __saturatef: at 0 and at 1 the argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void intrinsics_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                          const float *__restrict__ z, float *__restrict__ adj_z,
                                          float *__restrict__ y, const float *__restrict__ adj_y,
                                          int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    float w = z[i];
    float a = __fmaf_rn(v, w, 1.0f) + __fdividef(v, 1.0f + w * w);
    float b = __sinf(v) * __cosf(w) + __expf(-v * v) + __logf(2.0f + v * v);
    float c = __fsqrt_rn(1.0f + v * v) * __frcp_rn(2.0f + w) + __powf(1.5f + v * v, w);
    float d = __saturatef(0.5f + 0.1f * v) + rhypotf(v, 1.0f) + __fadd_rn(a, b) * 0.1f;

    // 15:  y[i] = a * b + c * d
    float g = adj_y[i];
    float adj_a = b * g;
    float adj_b = a * g;
    float adj_c = d * g;
    float adj_d = c * g;
    float adj_v = 0.0f;

    // 14:  float d = __saturatef(0.5f + 0.1f * v) + rhypotf(v, 1.0f) + __fadd_rn(a, b) * 0.1f
    if (0.5f + 0.1f * v >= 0.0f && 0.5f + 0.1f * v <= 1.0f)
        adj_v += 0.1f * adj_d;
    float r = rhypotf(v, 1.0f);
    adj_v -= v * r * r * r * adj_d;
    float g_2 = 0.1f * adj_d;
    adj_a += g_2;
    adj_b += g_2;

    // 13:  float c = __fsqrt_rn(1.0f + v * v) * __frcp_rn(2.0f + w) + __powf(1.5f + v * v, w)
    float r_2 = __frcp_rn(2.0f + w);
    adj_v += r_2 * v * adj_c / __fsqrt_rn(1.0f + v * v);
    float adj_w = -(__fsqrt_rn(1.0f + v * v) * r_2 * r_2 * adj_c);
    if (adj_c != 0.0f && w != 0.0f)
        adj_v += 2.0f * w * __powf(1.5f + v * v, w - 1.0f) * v * adj_c;
    if (1.5f + v * v > 0.0f)
        adj_w += __powf(1.5f + v * v, w) * __logf(1.5f + v * v) * adj_c;

    // 12:  float b = __sinf(v) * __cosf(w) + __expf(-v * v) + __logf(2.0f + v * v)
    adj_v += __cosf(w) * __cosf(v) * adj_b;
    adj_w -= __sinf(v) * __sinf(w) * adj_b;
    float g_3 = __expf(-v * v) * adj_b;
    adj_v += 2.0f * v * adj_b / (2.0f + v * v) - (v * g_3 + v * g_3);

    // 11:  float a = __fmaf_rn(v, w, 1.0f) + __fdividef(v, 1.0f + w * w)
    adj_v += w * adj_a + adj_a / (1.0f + w * w);
    adj_w += v * adj_a - 2.0f * __fdividef(v, 1.0f + w * w) * w * adj_a / (1.0f + w * w);

    // 9:  float v = __ldg(&x[i])
    adj_x[i] += adj_v;
    // 10:  float w = __ldg(z + i)
    adj_z[i] += adj_w;
}
