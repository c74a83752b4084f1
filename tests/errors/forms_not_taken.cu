struct Acc {
    float s;
    template <int N> __device__ float scaled() const { return N * s; }
};
__device__ auto last(float v) -> decltype(v * 2.0f) { return v; }
//                            ^^ not-supported: not differentiated yet
__device__ float moved(float &&v) { return v; }
//                           ^^ not-supported: not differentiated yet
__device__ constexpr float operator""_f(long double v) { return v; }
extern "C" __global__ void k(const float *x, const int *m, float *y, int n)
{
    int i = threadIdx.x;
    Acc a = {x[i]};
    y[0] = a.scaled<2>();
//           ^^^^^^ not-supported: not differentiated yet
    float Acc::*which = &Acc::s;
//        ^^^ not-supported: not differentiated yet
    float p = x[0], q = x[1];
    static auto [w] = a;
//  ^^^^^^ not-supported: not differentiated yet
    p = i++ ?: 2;
//           ^ not-supported: not differentiated yet
    p = 2.0_f * q;
//      ^^^^^ not-supported: not differentiated yet
    y[1] = last(p) + moved(2.0f);
}
