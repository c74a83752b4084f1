enum class Mode { fast, exact };

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    Mode m = Mode::fast;
//           ^^^^ syntax-error: here
    y[i] = m == Mode::fast ? x[i] : 0.0f;
}
