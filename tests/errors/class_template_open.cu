template <typename T, typename U>
struct Pair {
    T one;
    U two;
};

template <int N>
struct Row {
    float v[N];
    template <typename T>
    __device__ float at(T k) const { return v[k]; }
};

extern "C" __global__ void scale(const float *x, float *y, int n)
{
    Pair<float> p;
//  ^^^^ type-error: an argument is missing
    Row<n> q;
//      ^ not-constant: `n` isn't known at compile time
    Row<4> r;
    y[threadIdx.x] = r.at(2) + x[threadIdx.x];
//                   ^^^^^^^ not-supported: not differentiated yet
    y[1] = Row<4>::width;
//         ^^^^^^^^^^^^^ type-error: not found, or its value isn't known here
}
