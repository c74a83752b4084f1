// A number by value has an adjoint, but no tangent that a launch returns: the check of float ended in a KeyError.
extern "C" __global__ void number_beside_a_rest(int n, const float *__restrict__ x, float c, const float *__restrict__ w, float *__restrict__ y, float *__restrict__ z)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float v = x[i];
    float m = w[blockIdx.x];
    for (int d = 16; d > 0; d /= 2)
        m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
    float e = expf(v - m);
    if (i == 3) e = 1.0f;
    float s = e;
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_xor_sync(0xffffffffu, s, d);
    y[i] = e * (1.0f / s);
    z[i] = 0.0f;
}

//--
// kernel = "number_beside_a_rest"
// of = ["y"]
// wrt = ["x", "c", "w"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 64
// x = {shape="n", fill="uniform(-1,1)"}
// c = 0.4
// w = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="zeros"}
// z = {shape="n", fill="zeros"}
