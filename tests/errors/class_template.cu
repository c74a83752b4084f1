template <typename T>
struct Pair {
    T one, two;
};

extern "C" __global__ void scale(const float *x, float *y)
{
    Pair<float> p;
//  ^^^^ no-templates: only templates of functions are differentiated, for now
    y[threadIdx.x] = x[threadIdx.x];
}
