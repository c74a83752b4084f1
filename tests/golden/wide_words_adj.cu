// wide_words_adj: adjoint of wide_words (wide_words.cu:12).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform wide_words.cu --of y --wrt x,w,a
//
// Call with x, w and a as they were before wide_words. Seed adj_y with dJ/dy: it is
// left alone, because wide_words stores each element of y at most once. dJ/dx is added
// to adj_x; dJ/dw is added to adj_w; dJ/da is added to adj_a. Each addition to adj_x
// and adj_w rounds to half precision. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   scale[..], shift[..],     reloaded   no later store goes to it
//   weights[..], loaded[..]
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_w[..]   +=, one owner   one thread per element
//   adj_a[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#include <cuda_fp16.h>

extern "C" __global__ void wide_words_adj(const __half *x, __half *adj_x,
                                          const __half *w, __half *adj_w,
                                          const float *a, float *adj_a,
                                          __half *y, const __half *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (8 * i >= n)
        return;
    __half loaded[8] = {x[(long)i * 8], x[(long)i * 8 + 1], x[(long)i * 8 + 2], x[(long)i * 8 + 3],
                        x[(long)i * 8 + 4], x[(long)i * 8 + 5], x[(long)i * 8 + 6],
                        x[(long)i * 8 + 7]};
    __half weights[4];
    weights[0] = w[8 * i];
    weights[1] = w[8 * i + 1];
    weights[2] = w[8 * i + 2];
    weights[3] = w[8 * i + 3];
    float scale[4];
    scale[0] = a[4 * i];
    scale[1] = a[4 * i + 1];
    scale[2] = a[4 * i + 2];
    scale[3] = a[4 * i + 3];
    float shift[4] = {scale[0] * scale[1], scale[2], 0.5f, scale[3]};
    float adj_stored[8] = {};

    // 33:  reinterpret_cast<float4 *>(y)[i] = stored
    adj_stored[7] += __half2float(adj_y[(long)i * 8 + 7]);
    adj_stored[6] += __half2float(adj_y[(long)i * 8 + 6]);
    adj_stored[5] += __half2float(adj_y[(long)i * 8 + 5]);
    adj_stored[4] += __half2float(adj_y[(long)i * 8 + 4]);
    adj_stored[3] += __half2float(adj_y[(long)i * 8 + 3]);
    adj_stored[2] += __half2float(adj_y[(long)i * 8 + 2]);
    adj_stored[1] += __half2float(adj_y[(long)i * 8 + 1]);
    adj_stored[0] += __half2float(adj_y[(long)i * 8]);
    float adj_loaded[8] = {};

    // 32:  stored.y = loaded.z
    adj_loaded[5] += adj_stored[3];
    adj_stored[3] = 0.0f;
    adj_loaded[4] += adj_stored[2];
    adj_stored[2] = 0.0f;
    float adj_last_x = 0.0f;
    float adj_weights[4] = {};
    float adj_shift[4] = {};
    for (int k = 3; k >= 0; --k) {
        // 30:  out[k + 4] = __float2half(__half2float(first[1].y) * shifts[3 - k] *
        //      __half2float(weights[k]))
        float g = adj_stored[k + 4];
        float g_2 = __half2float(weights[k]) * g;
        adj_loaded[3] += shift[3 - k] * g_2;
        adj_shift[3 - k] += __half2float(loaded[3]) * g_2;
        adj_weights[k] += __half2float(loaded[3]) * shift[3 - k] * g;
        adj_stored[k + 4] = 0.0f;

        // 29:  out[k] = __float2half(__half2float(weights[k]) * shifts[k] + __half2float(last.x))
        float g_3 = adj_stored[k];
        adj_weights[k] += shift[k] * g_3;
        adj_shift[k] += __half2float(weights[k]) * g_3;
        adj_last_x += g_3;
        adj_stored[k] = 0.0f;
    }
    float adj_scale[4] = {};

    // 24:  float4 shift = make_float4(scale[0] * scale[1], scale[2], 0.5f, scale[3])
    float g = adj_shift[0];
    adj_scale[3] += adj_shift[3];
    adj_scale[2] += adj_shift[1];
    adj_scale[0] += scale[1] * g;
    adj_scale[1] += scale[0] * g;

    // 9:  *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from)
    adj_a[4 * i + 3] += adj_scale[3];
    adj_a[4 * i + 2] += adj_scale[2];
    adj_a[4 * i + 1] += adj_scale[1];
    adj_a[4 * i] += adj_scale[0];

    // 7:  *reinterpret_cast<unsigned long long *>(to) = *reinterpret_cast<const unsigned long long
    //     *>(from)
    adj_w[8 * i + 3] = __float2half(__half2float(adj_w[8 * i + 3]) + adj_weights[3]);
    adj_w[8 * i + 2] = __float2half(__half2float(adj_w[8 * i + 2]) + adj_weights[2]);
    adj_w[8 * i + 1] = __float2half(__half2float(adj_w[8 * i + 1]) + adj_weights[1]);
    adj_w[8 * i] = __float2half(__half2float(adj_w[8 * i]) + adj_weights[0]);

    // 19:  __half2 last = *reinterpret_cast<__half2 *>(&loaded.w)
    adj_loaded[6] += adj_last_x;

    // 17:  float4 loaded = reinterpret_cast<const float4 *>(x)[i]
    adj_x[(long)i * 8 + 7] = __float2half(__half2float(adj_x[(long)i * 8 + 7]) + adj_loaded[7]);
    adj_x[(long)i * 8 + 6] = __float2half(__half2float(adj_x[(long)i * 8 + 6]) + adj_loaded[6]);
    adj_x[(long)i * 8 + 5] = __float2half(__half2float(adj_x[(long)i * 8 + 5]) + adj_loaded[5]);
    adj_x[(long)i * 8 + 4] = __float2half(__half2float(adj_x[(long)i * 8 + 4]) + adj_loaded[4]);
    adj_x[(long)i * 8 + 3] = __float2half(__half2float(adj_x[(long)i * 8 + 3]) + adj_loaded[3]);
    adj_x[(long)i * 8 + 2] = __float2half(__half2float(adj_x[(long)i * 8 + 2]) + adj_loaded[2]);
    adj_x[(long)i * 8 + 1] = __float2half(__half2float(adj_x[(long)i * 8 + 1]) + adj_loaded[1]);
    adj_x[(long)i * 8] = __float2half(__half2float(adj_x[(long)i * 8]) + adj_loaded[0]);
}
