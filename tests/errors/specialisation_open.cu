// s2sad: --template N=COUNT
enum { COUNT = 4 };

template <int N>
__global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = N * x[threadIdx.x];
}

template <>
__global__ void scale<4>(const float *x, float *y)
//              ^^^^^ specialisation-open: this one
{
    y[threadIdx.x] = 4.0f * x[threadIdx.x];
}
