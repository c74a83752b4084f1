// A struct in a function template, of two types.
template <class T, int N>
__device__ T energy(T a)
{
    struct State { T at, speed, more[N]; } s = {a, a * a, {a}};
    s.at += s.speed * T(0.5) + s.more[N - 2];
    return s.at * s.speed;
}

extern "C" __global__ void local_struct_in_a_template(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = energy<float, 2>(x[i]) + energy<float, 3>(x[i] * 2.0f);
}
//--
// kernel = "local_struct_in_a_template"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
