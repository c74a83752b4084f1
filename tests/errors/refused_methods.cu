// s2sad: --of y --wrt x
struct P {
    float a, b;
    float w[2];
    __device__ P(cudaStream_t v) : a(2.0f * v), b(3.0f) {}
//               ^^^^^^^^^^^^ unknown-type: no such type
    __device__ float get(cudaStream_t v) const { return a; }
//                       ^^^^^^^^^^^^ unknown-type: no such type
    __device__ float get() const { return b; }
    __device__ float scaled(cudaStream_t *v) const { return a; }
//                          ^^^^^^^^^^^^ unknown-type: no such type
};

struct V {
    float x;
    __device__ V operator-(cudaStream_t v) const { return *this; }
//                         ^^^^^^^^^^^^ unknown-type: no such type
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
//         ^^^^^^^^^^ type-error: not found, or not a device function
    given.w[0] = x[i];
//  ^^^^^^^^^^ not-supported: not differentiated yet
    own.w[0] = x[i];
}
