template <typename T>
__constant__ T mask[4] = {1, 2, 3, 4};
// columns 1 to 38: no-templates: only templates of functions, classes and constants are differentiated

extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x] * mask<float>[2];
}
