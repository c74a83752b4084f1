extern "C" __global__ void scale(const __half *x, __half *y)
{
    y[threadIdx.x] = __float2half_rd(0.5f * __half2float(x[threadIdx.x]));
//                   ^^^^^^^^^^^^^^^ half-precision: not differentiated yet
    y[threadIdx.x + 1] = __hcmadd(x[threadIdx.x], x[threadIdx.x], x[threadIdx.x]);
//                       ^^^^^^^^ half-precision: not differentiated yet
    y[threadIdx.x + 2] = x[threadIdx.x] * 0.5f;
//                       ^^^^^^^^^^^^^^^^^^^^^ type-error: ambiguous in C++: convert one of them
}
