struct Pair {
    float a, b;
    __device__ Pair(float u, float v) : a(u), b(v) { a *= u; }
    __device__ Pair(float u) : Pair(u, 2.0f) { b += a * u; }
};
extern "C" __global__ void delegating_with_a_body(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p(x[i]);
    y[i] = p.a * p.b;
}
