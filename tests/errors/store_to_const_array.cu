extern "C" __global__ void scale(const float *x, const float *y)
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
//  ^^^^^^^^^^^^^^ assignment-to-const: declared const
}
