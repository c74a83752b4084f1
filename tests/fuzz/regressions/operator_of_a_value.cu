// operator[] by value
struct V {
    float c[3];
    __device__ float operator[](int k) const { return c[k]; }
};
__device__ float sum(const V &v) { return v[0] + v[1] * v[2]; }

extern "C" __global__ void operator_of_a_value(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V v = {{x[i], 2.0f * x[i], 1.0f}};
    float s = 0.0f;
    for (int k = 0; k < 3; ++k)
        s += v[k] * v[(k + 1) % 3];
    const V &w = v;
    y[i] = s + w[1] * sum(v);
}
//--
// kernel = "operator_of_a_value"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
