struct Mixed {
    float value;
    int where;
};

__global__ void views(const double *x, int4 *quads, float *y)
{
    int i = threadIdx.x;
    float4 v = reinterpret_cast<const float4 *>(x)[i];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<const float4 *>(x)` has no derivative
    float w = reinterpret_cast<float *>(quads)[i];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bit-reinterpretation: `reinterpret_cast<float *>(quads)` has no derivative
    Mixed m = *(Mixed *)(y + i);
    y[i] = v.x * w * m.value;
//                   ^^^^^^^ bit-reinterpretation: `m.value` has no derivative
}
