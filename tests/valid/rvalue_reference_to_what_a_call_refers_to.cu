// refused: not-supported
struct A {
    float v;
    __device__ A &twice()
    {
        v *= 2.0f;
        return *this;
    }
};
__device__ float &at(float *v, int k) { return v[k]; }
extern "C" __global__ void rvalue_reference_to_what_a_call_refers_to(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[2] = {x[i], 2.0f};
    A a{1.0f};
    auto &&r = at(v, 0);
    r *= 2.0f;
    auto &&s = a.twice();
    s.v *= x[i];
    auto &&[w] = a.twice();
    w *= 2.0f;
    auto &&t = (v[1] *= 2.0f);
    t *= 2.0f;
    y[i] = v[0] * v[1] * a.v;
}
