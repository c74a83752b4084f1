// refused: not-supported
class Acc {
public:
    __device__ Acc(float v, int count);
    __device__ void add(float);
    __device__ void add(float a, const float &b);
    __device__ Acc &operator+=(float v)
    {
        s += v;
        return *this;
    }
    __device__ float total(int k) const;
private:
    float s;
    int n;
};
namespace ns {
struct Other {
    float v;
    __device__ auto square() const -> float;
};
__device__ float Other::square() const { return v * v; }
}
__device__ Acc::Acc(float v, int count) : s(v), n{count} { s *= v; }
__device__ void Acc::add(float v) { s += v * v; }
__device__ void Acc::add(float a, const float &b) { s *= a * b; }
__device__ float Acc::total(int times) const
{
    return s * n * times;
}
extern "C" __global__ void methods_outside_of_every_kind(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Acc a(x[i], 2);
    a.add(x[i]);
    a.add(2.0f, x[i + 1]);
    a += x[i];
    y[i] = a.total(2) * ns::Other{x[i]}.square();
}
