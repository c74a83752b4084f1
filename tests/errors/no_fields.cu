extern "C" __global__ void scale(const float *x, float *y)
{
    int i = threadIdx.x;
    float v = x[i];
    v.x = 2.0f * v.y;
//  ^^^ type-error: it has no fields
//               ^^^ type-error: it has no fields
    y[i] = sinf(v).x + (float)blockDim.w;
//         ^^^^^^^^^ type-error: it has no fields
//                            ^^^^^^^^^^ type-error: it has x, y, z
    y[i + x.y] = 1.0f;
//        ^ pointer-value: only pointers into the same array can be compared
}
