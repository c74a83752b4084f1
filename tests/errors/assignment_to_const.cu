extern "C" __global__ void scale(const float *x, float *y)
{
    const float factor = 2.0f;
    factor = 3.0f;
//  ^^^^^^ assignment-to-const: declared const
    y[threadIdx.x] = factor * x[threadIdx.x];
}
