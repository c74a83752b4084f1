#include <cuda_fp16.h>
__global__ void words_are_bits(const __half *x, const float *a, __half *y, float *b)
{
    int i = threadIdx.x;
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    b[i] = v.x + 1.0f;
//         ^^^ bit-reinterpretation: `v.x` has no derivative
    if (v.y == v.z)
//      ^^^ bit-reinterpretation: `v.y` has no derivative
//             ^^^ bit-reinterpretation: `v.z` has no derivative
        b[i] = 2.0f;
    v.w += 1.0f;
//  ^^^ bit-reinterpretation: `v.w` has no derivative
    v.z = 0.5f;
//  ^^^ bit-reinterpretation: `v.z` has no derivative
    b[i] = *reinterpret_cast<float *>(&v.x);
//                                     ^^^ bit-reinterpretation: `v.x` has no derivative
    uint4 u = *reinterpret_cast<const uint4 *>(a + 4 * i);
    b[u.x & 1] = a[i];
//    ^^^ bit-reinterpretation: `u.x` has no derivative
    u = *reinterpret_cast<const uint4 *>(x + 8 * i);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `*reinterpret_cast<const uint4 *>(x + 8 * i)` has no derivative
    unsigned int w = *reinterpret_cast<const unsigned int *>(x + 2 * i);
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<const unsigned int *>(x + 2 * i)` has no derivative
    *reinterpret_cast<unsigned int *>(y + 2 * i) = w;
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<unsigned int *>(y + 2 * i)` has no derivative
    float own[2];
    *reinterpret_cast<uint2 *>(own) = *reinterpret_cast<const uint2 *>(x + 4 * i);
//                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `*reinterpret_cast<const uint2 *>(x + 4 * i)` has no derivative
    float4 half_zero = i < 4 ? v : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `i < 4 ? v : make_float4(0.0f, 0.0f, 0.0f, 0.0f)` has no derivative
}
