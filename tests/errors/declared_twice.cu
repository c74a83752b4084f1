extern "C" __global__ void scale(const float *x, float *y)
{
    float s = x[threadIdx.x];
    float s = 2.0f;
//  ^^^^^^^^^^^^^^ declared-twice: second declaration
    y[threadIdx.x] = s;
}
