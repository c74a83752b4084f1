// nullable out pointer beside a const struct pointer
struct Prm { float a, b; };
__device__ float f(float v, const Prm *p, float *C)
{
    float r = v * p->a + p->b;
    if (C)
        *C = r * v;
    return r * r;
}

extern "C" __global__ void address_or_null(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Prm p = {x[i], 2.0f};
    float c = 0.0f;
    float s = f(x[i], &p, &c) + f(2.0f * x[i], &p, nullptr);
    y[i] = s * c;
}
//--
// kernel = "address_or_null"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
