// complex_references_adj: adjoint of complex_references (complex_references.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform complex_references.cu --of re,im --wrt ar,ai,br,bi
//
// Call with ar, ai, br and bi as they were before complex_references. adj_re comes in
// as dJ/dre after complex_references and goes out as dJ/dre before it, element by
// element. adj_im comes in as dJ/dim after complex_references and goes out as dJ/dim
// before it, element by element. dJ/dar is added to adj_ar; dJ/dai is added to adj_ai;
// dJ/dbr is added to adj_br; dJ/dbi is added to adj_bi. re and im are neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   u, v, br, bi   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_ar[..]   +=, one owner   one thread per element
//   adj_ai[..]   +=, one owner   one thread per element
//   adj_br[..]   +=, one owner   one thread per element
//   adj_bi[..]   +=, one owner   one thread per element
//   adj_re[..]   +=, one owner   one thread per element
//   adj_im[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void complex_references_adj(const float *ar, float *adj_ar,
                                                  const float *ai, float *adj_ai,
                                                  const float *br, float *adj_br,
                                                  const float *bi, float *adj_bi,
                                                  float *re, float *adj_re,
                                                  float *im, float *adj_im, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float u = ar[i];
    float v = ai[i];
    float br_2 = br[i];
    float bi_2 = bi[i];

    // 24:  im[2 * i + 1] = ai[i] - v
    float g = adj_im[2 * i + 1];
    adj_ai[i] += g;
    float adj_v = -g;
    adj_im[2 * i + 1] = 0.0f;

    // 23:  re[2 * i + 1] = ar[i] - u
    float g_2 = adj_re[2 * i + 1];
    adj_ar[i] += g_2;
    float adj_u = -g_2;
    adj_re[2 * i + 1] = 0.0f;

    // 7:  re = t
    float adj_t = adj_re[2 * i];

    // 6:  im = ar * bi + ai * br
    adj_re[2 * i] = 0.8f * adj_im[2 * i];
    adj_im[2 * i] *= 0.6f;

    // 5:  float t = ar * br - ai * bi
    adj_re[2 * i] += 0.6f * adj_t;
    adj_im[2 * i] -= 0.8f * adj_t;

    // 21:  y = ai[i] + v
    float g_3 = adj_im[2 * i];
    adj_ai[i] += g_3;
    adj_v += g_3;
    adj_im[2 * i] = 0.0f;

    // 20:  x = ar[i] + u
    float g_4 = adj_re[2 * i];
    adj_ar[i] += g_4;
    adj_u += g_4;
    adj_re[2 * i] = 0.0f;

    // 7:  re = t
    float adj_t_2 = adj_u;

    // 6:  im = ar * bi + ai * br
    adj_u = bi_2 * adj_v;
    float adj_bi_2 = u * adj_v;
    float adj_br_2 = v * adj_v;
    adj_v *= br_2;

    // 5:  float t = ar * br - ai * bi
    adj_u += br_2 * adj_t_2;
    adj_br_2 += u * adj_t_2;
    adj_v -= bi_2 * adj_t_2;
    adj_bi_2 -= v * adj_t_2;

    // 18:  float u = ar[i]
    adj_ar[i] += adj_u;
    // 18:  v = ai[i]
    adj_ai[i] += adj_v;

    // 19:  multiply(u, v, u, v, br[i], bi[i])
    adj_bi[i] += adj_bi_2;
    adj_br[i] += adj_br_2;
}
