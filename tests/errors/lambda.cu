template <typename F>
__device__ float twice(F f, float v)
{
    return f(f(v));
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float s = x[i];
    auto square = [](float v) { return v * v; };
//                ^ no-lambdas: it is used other than by a call
    y[i] = twice(square, s);
}
