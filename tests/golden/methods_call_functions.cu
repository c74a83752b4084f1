// s2sad: --of y --wrt x,w,shapes
// Methods that call functions of the file and return from two places; templates that are given parts of arrays.
__device__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

struct Circle {
    float2 centre;
    float radius;

    __device__ float2 towards(float2 p) const
    {
        const float2 d = minus(p, centre);
        if (dot(d, d) < radius * radius)
            return make_float2(d.x / radius, d.y / radius);
        const float s = rsqrtf(dot(d, d));
        return make_float2(s * d.x, s * d.y);
    }
};

template <typename T>
__device__ T product(const T *a, const T *b, int n)
{
    T sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

__global__ void shine(const Circle *shapes, const float2 *x, const float *w, float *y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float light = product(w + i * m, w + (i + 1) * m, m) * product<float>(&w[i], w, 2);
    for (int k = 0; k < m; ++k)
        light += dot(shapes[k].towards(x[i]), x[i]);
    y[i] = light;
}
