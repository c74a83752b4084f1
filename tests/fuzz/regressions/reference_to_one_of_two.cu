// const reference to one of two
struct Cons { float a, b; };
__device__ float flux(Cons l, Cons r, bool left) { const Cons &q = left ? l : r; return q.a * q.a + q.b; }

extern "C" __global__ void reference_to_one_of_two(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Cons ql = {x[i], 2.0f}, qr = {3.0f, x[i] * x[i]};
    bool left = x[i] > 0.0f;
    const Cons &q = left ? ql : qr;
    y[i] = q.a * q.b + flux(ql, qr, left);
}
//--
// kernel = "reference_to_one_of_two"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
