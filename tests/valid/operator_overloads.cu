struct V {
    float a, b;
    __device__ V &operator+=(const V &o)
    {
        a += o.a;
        b += o.b;
        return *this;
    }
    __device__ V operator-() const { return {-a, -b}; }
    __device__ V &operator++()
    {
        a += 1.0f;
        return *this;
    }
    __device__ float operator[](int k) const { return k ? b : a; }
    __device__ float operator()(float s) const { return s * a * b; }
    __device__ bool operator==(const V &o) const { return a == o.a; }
};
__device__ V operator*(V a, float s) { return {a.a * s, a.b * s}; }
__device__ V operator+(const V &a, const V &b) { return V{a.a + b.a, a.b + b.b}; }
extern "C" __global__ void operator_overloads(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V a{x[i], x[i + 1]}, b{1.0f, x[i]};
    a += b;
    V c = -(a * 2.0f + b);
    ++c;
    y[i] = c[0] * c[1] + c(2.0f) + (a == b ? 1.0f : 0.0f);
}
