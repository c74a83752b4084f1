struct Acc {
    float s;
    int n;
    __device__ Acc(float v);
//             ^^^^^^^^^^^^ not-supported: not differentiated yet
};
__device__ Acc::Acc(float v) : s(v), n(0) {}
struct Sum {
    float s;
    int n;
    __device__ void add(float v);
    __device__ auto total() const { return s * n; }
//             ^^^^^^^^^^ not-supported: not differentiated yet
    __device__ Sum &twice()
    {
        s *= 2.0f;
        return *this;
    }
    __device__ Sum *self()
    {
        return this;
//      ^^^^^^^^^^^^ not-supported: not differentiated yet
    }
};
__device__ void Sum::add(float v) { s += v; }
typedef const float *pointer;
__device__ float first(pointer p) { return p[0]; }
__device__ float scaled(float v, float by = 2.0f);
__device__ float scaled(float v, float by) { return v * by; }
__device__ auto open(float v) { return v; }
//         ^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
extern "C" __global__ void k(const float *x, const int *m, float *y, int n)
{
    int i = threadIdx.x;
    Acc made(x[i]);
    Sum a = {x[i], 1};
    a.add(x[i]);
//  ^^^^^^^^^^^ not-supported: not differentiated yet
    Sum &r = a.twice();
//           ^^^^^^^^^ not-supported: not differentiated yet
    a.self();
    y[0] = a.total();
    float p = x[0], q = x[1];
    float &one = i ? p : q;
//               ^^^^^^^^^ not-supported: not differentiated yet
    (i++ ? p : q) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    auto [u, v] = x[i];
//        ^ not-supported: not differentiated yet
    decltype(x[i]) ref = x[i];
//  ^^^^^^^^ not-supported: not differentiated yet
    y[1] = first(x) + scaled(p) + open(p);
//         ^^^^^^^^ not-supported: not differentiated yet
//                    ^^^^^^^^^ not-supported: not differentiated yet
    y[2] = std::move(p);
//         ^^^^^^^^^^^^ not-supported: not differentiated yet
    switch (m[i]) {
    case 0 ... 1000:
//       ^^^^^^^^^^ not-supported: not differentiated yet
        y[3] = p;
    }
    const char *text = "a text";
//                     ^^^^^^^^ not-supported: not differentiated yet
}
