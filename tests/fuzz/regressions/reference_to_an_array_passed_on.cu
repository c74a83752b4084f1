// A reference to an array is passed to functions, as a pointer and as a reference; it was refused.
__device__ void reference_products(float *v, int from)
{
    for (int k = from; k < 4; ++k)
        v[k] = v[k] * v[k - 1];
}

__device__ float reference_sum(const float (&v)[4])
{
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k)
        sum += v[k] * (k + 1);
    return sum;
}

extern "C" __global__ void reference_to_an_array_passed_on(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float held[2][4];
    float (&v)[4] = held[1];
    for (int k = 0; k < 4; ++k)
        v[k] = x[i] + 0.3f * k;
    reference_products(v, 1);
    reference_products(v, 1 + i % 2);
    y[i] = reference_sum(v) + held[1][2];
}
//--
// kernel = "reference_to_an_array_passed_on"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="n", fill="uniform(-1.6,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// n = 6
