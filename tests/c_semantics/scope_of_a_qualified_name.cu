// [basic.lookup.qual]: ::width and box::depth are those of the file and of the namespace.
constexpr int width = 3;
namespace box { constexpr int depth = 5; constexpr float share = 0.25f; }
extern "C" __global__ void scope_of_a_qualified_name(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int width = 1 + (m[i] & 1);
    s = sinf(s) * x[width] + ::width * s * s;
    int depth = 2;
    s *= x[box::depth] * x[depth];
    float share = s * x[::width];
    s += share * box::share;
    for (int width = 0; width < ::width; ++width)
        s = s * x[width] + 0.5f * s * s;
    y[i] = s * x[width];
}
