enum class Mode { fast, exact };

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    Mode m = Mode::fast;
//           ^^^^ no-namespaces: neither a namespace here nor one of a header that is found
    y[i] = m == Mode::fast ? x[i] : 0.0f;
//              ^^^^ no-namespaces: neither a namespace here nor one of a header that is found
}
