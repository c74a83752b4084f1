struct Pair {
    float a, b;
    friend __device__ float product(const Pair &p) { return p.a * p.b; }
    friend __device__ Pair operator+(Pair p, Pair q);
    friend struct Other;
};
__device__ Pair operator+(Pair p, Pair q) { return {p.a + q.a, p.b + q.b}; }
extern "C" __global__ void friends(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p{x[i], x[i + 1]};
    y[i] = product(p) * (p + p).a;
}
