// s2sad: --of y --wrt x
template <typename T>
__device__ T scratch[8];

extern "C" __global__ void scale(const float *x, float *y)
{
    int i = threadIdx.x;
    scratch<float>[i] = x[i];
//  ^^^^^^^ no-templates: only templates of functions, classes and constants are differentiated
    y[i] = 2.0f * scratch<float>[i];
}
