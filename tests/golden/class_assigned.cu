// A pair of numbers whose constructors assign in their bodies, and whose operators take places. What a
// function template is for a type is told by what its specialisation returns.
#define M 8

struct Pair {
    float a, b;
    __device__ Pair() { a = 0.0f; }
    __device__ explicit Pair(float first, float second)
    {
        a = first;
        b = second;
    }
    __device__ friend Pair operator+(const Pair &p, const Pair &q) { return Pair(p.a + q.a, p.b + q.b); }
    __device__ friend Pair operator-(Pair &p, Pair &q) { return Pair(p.a -= q.a, p.b - q.b); }
    __device__ friend Pair operator*(const Pair &p, float s) { return Pair(p.a * s, p.b * s); }
};

template <typename T>
__device__ T made(float a, float b);

template <>
__device__ Pair made(float a, float b)
{
    return Pair(a * b, b);
}

template <>
__device__ float made(float a, float b)
{
    return a - b;
}

__global__ void class_assigned(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair sum;
    sum.b = 1.0f;
    for (int k = 0; k < M; ++k) {
        Pair term = made<Pair>(x[i * M + k], w[M - 1 - k]) * x[(i + 1) * M - 1 - k] * w[k];
        sum = sum + term;
    }
    y[i] = sum.a * sum.b + made<float>(x[i * M], w[0]);
}
