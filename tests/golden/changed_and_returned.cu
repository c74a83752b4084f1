// s2sad: --of y,z --wrt x,w
// `return a -= b;` in operators, and an operator that returns at several places.
struct Vec {
    float x, y, z;
    __device__ Vec &operator-=(const Vec &o)
    {
        x -= o.x;
        y -= o.y * o.y;
        z -= o.z * x;
        return *this;
    }
    __device__ Vec &operator*=(float s)
    {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
};

__device__ float3 &operator+=(float3 &a, const float3 &b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z * a.x;
    return a;
}

__device__ Vec operator-(Vec a, const Vec &b) { return a -= b; }
__device__ float3 operator+(float3 a, float3 b) { return a += b; }

__device__ Vec operator*(Vec a, float s)
{
    if (s > 0.5f)
        return a *= s;
    Vec doubled = a;
    doubled.x *= a.y;
    return doubled *= 2.0f;
}

extern "C" __global__ void changed_and_returned(const Vec *x, const float3 *w, Vec *y, float3 *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec a = x[i];
    Vec b = a - x[i + 1] - a;
    y[i] = (a - b) * a.x;
    z[i] = w[i] + w[i + 1] + w[i];
}
