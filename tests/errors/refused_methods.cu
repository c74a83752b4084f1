// s2sad: --of y --wrt x
struct P {
    float a, b;
    float w[2];
    __device__ P(half v) : a(2.0f * v), b(3.0f) {}
//               ^^^^ half-precision: not differentiated yet
    __device__ float get(half v) const { return a; }
//                       ^^^^ half-precision: not differentiated yet
    __device__ float get() const { return b; }
    __device__ float scaled(half *v) const { return a; }
//                          ^^^^ half-precision: not differentiated yet
};

struct V {
    float x;
    __device__ V operator-(half2 v) const { return *this; }
//                         ^^^^^ half-precision: not differentiated yet
};

extern "C" __global__ void unread(P given, const float *x, float *y, int n)
{
    int i = threadIdx.x;
    P own = given;
    y[i] = own.get() + own.get(x[i]);
    y[i] = own.scaled(x[i]);
    V v = {x[i]};
    v = v - x[i];
    y[i] = v.x;
    P made(x[i]);
    y[i] = own.none();
//         ^^^^^^^^^^ type-error: not found, or not for the device
    given.w[0] = x[i];
//  ^^^^^^^^^^ not-supported: not differentiated yet
    own.w[0] = x[i];
}
