// [basic.lookup.qual]: Side::left is the enumerator, whatever variable is called left.
enum class Side { right = 1, left = 3 };
extern "C" __global__ void scope_of_a_scoped_enumerator(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float left = x[1] * s;
    Side side = m[i] & 1 ? Side::left : Side::right;
    if (side == Side::left)
        s = sinf(s) * left;
    int right = 5;
    s *= x[static_cast<int>(Side::right)] + x[right] * left;
    y[i] = s * x[(int)Side::left];
}
