enum class Mode { none, fast };
enum class Edge { clamp, none };

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    Mode m = Mode::none;
    y[i] = m == Mode::none ? x[i] : float(Edge::none);
//                                        ^^^^ several-namespaces: declared in Edge and in Mode
}
