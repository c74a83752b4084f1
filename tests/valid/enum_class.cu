enum class Mode { twice, square };
enum Plain { one = 1, two };
enum : unsigned { unnamed = 5u };
extern "C" __global__ void enum_class(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Mode mode = m[i] & 1 ? Mode::twice : Mode::square;
    Plain p = m[i] > 3 ? one : two;
    y[i] = mode == Mode::twice ? 2.0f * x[i] : x[i] * x[i] * p;
}
