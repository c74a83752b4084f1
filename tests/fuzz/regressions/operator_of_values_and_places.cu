// operator[] by value and by reference
struct V {
    float c[3];
    __device__ float operator[](int k) const { return c[k]; }
    __device__ float &operator[](int k) { return c[k]; }
};

extern "C" __global__ void operator_of_values_and_places(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V v = {{x[i], 2.0f * x[i], 1.0f}};
    v[2] = v[0] * v[1];
    v[1] += x[i];
    const V w = v;
    y[i] = w[2] * v[1];
}
//--
// kernel = "operator_of_values_and_places"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
