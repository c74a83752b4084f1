// s2sad: --of y --wrt x --companion
namespace optics {
const int TAPS = 3;
__device__ float soft(float v) { return v / (1 + fabsf(v)); }
}

template <class T, int N>
struct Taps {
    T weight[N];
};

using namespace optics;

extern "C" __global__ void blur(const float *x, float *y, Taps<float, 3> taps, int n)
//                         ^^^^ companion: its adjoint names Taps_float_3
//                         ^^^^ companion: its adjoint names TAPS
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int k = 0; k < TAPS; ++k)
        s += taps.weight[k] * x[i + k];
    y[i] = soft(s);
}
