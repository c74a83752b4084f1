// refused: not-supported
struct Pair {
    float v;
    int k;
};
extern "C" __global__ void decltype_of_things(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p{x[i], 1};
    decltype(p.v) a = p.v;
    decltype(p) q = p;
    decltype(make_float2(0.0f, 0.0f)) w = make_float2(a, x[i]);
    decltype(m[0]) k = m[i];
    y[i] = a * q.v * w.y * x[k];
}
