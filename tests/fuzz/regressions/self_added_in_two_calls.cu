// A constructor's statements in an operator's call: of `b += 0.5f * b` the addition was taken for one of the earlier's.
struct Pair {
    float a, b;
    __device__ Pair(float first, float second)
    {
        a = first;
        b = second;
        a += 0.5f * b;
        b += 0.5f * b;
        a -= 0.5f * b;
    }
    __device__ friend Pair operator*(const Pair &p, float s) { return Pair(p.a * s, p.b * s); }
};

extern "C" __global__ void self_added_in_two_calls(const float *x, float *y)
{
    int i = threadIdx.x;
    Pair p = Pair(x[i] * x[i], 2.0f * x[i]) * x[i];
    y[i] = p.a * p.b;
}
//--
// kernel = "self_added_in_two_calls"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 32
// [args]
// x = { shape = "32", fill = "normal" }
// y = { shape = "32", fill = "zeros" }
