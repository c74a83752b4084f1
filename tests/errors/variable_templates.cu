// s2sad: --of y --wrt x
template <typename T>
constexpr T two = T(2);

template <typename T>
constexpr T table[2] = {T(1), T(2)};
// columns 1 to 36: no-templates: only templates of functions, classes and constants are differentiated

extern "C" __global__ void scale(const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = x[i] * table<float>[0];
    y[i] += two<float, 3>;
//          ^^^ type-error: 2 arguments are given
}
