// Adjoint of tanh_product_8: the four minus signs cancel, so that y is the product of eight hyperbolic tangents.
// The product of the seven others comes from a tree of products rather than from y / t, which fails at t = 0.
__device__ void add_slope(float *adj_x, float t, float others)
{
    *adj_x += others * (1.0f - t * t);
}

extern "C" __global__ void tanh_product_8_adj(const float *__restrict__ x1,
                                              float *__restrict__ adj_x1,
                                              const float *__restrict__ x2,
                                              float *__restrict__ adj_x2,
                                              const float *__restrict__ x3,
                                              float *__restrict__ adj_x3,
                                              const float *__restrict__ x4,
                                              float *__restrict__ adj_x4,
                                              const float *__restrict__ x5,
                                              float *__restrict__ adj_x5,
                                              const float *__restrict__ x6,
                                              float *__restrict__ adj_x6,
                                              const float *__restrict__ x7,
                                              float *__restrict__ adj_x7,
                                              const float *__restrict__ x8,
                                              float *__restrict__ adj_x8,
                                              float *__restrict__ y,
                                              const float *__restrict__ adj_y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float t1 = tanhf(x1[i]), t2 = tanhf(x2[i]), t3 = tanhf(x3[i]), t4 = tanhf(x4[i]);
    const float t5 = tanhf(x5[i]), t6 = tanhf(x6[i]), t7 = tanhf(x7[i]), t8 = tanhf(x8[i]);
    const float t12 = t1 * t2, t34 = t3 * t4, t56 = t5 * t6, t78 = t7 * t8;

    // g12: the seed times all factors but t1 and t2
    const float g1234 = adj_y[i] * (t56 * t78), g5678 = adj_y[i] * (t12 * t34);
    const float g12 = g1234 * t34, g34 = g1234 * t12, g56 = g5678 * t78, g78 = g5678 * t56;

    add_slope(&adj_x1[i], t1, g12 * t2);
    add_slope(&adj_x2[i], t2, g12 * t1);
    add_slope(&adj_x3[i], t3, g34 * t4);
    add_slope(&adj_x4[i], t4, g34 * t3);
    add_slope(&adj_x5[i], t5, g56 * t6);
    add_slope(&adj_x6[i], t6, g56 * t5);
    add_slope(&adj_x7[i], t7, g78 * t8);
    add_slope(&adj_x8[i], t8, g78 * t7);
}
