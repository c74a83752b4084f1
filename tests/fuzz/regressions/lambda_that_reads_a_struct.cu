// lambda reads a captured struct
struct Prm { float a, b; };

extern "C" __global__ void lambda_that_reads_a_struct(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Prm p = {x[i], 2.0f};
    auto f = [&](float v) { return v * p.a + p.b; };
    auto g = [=](float v) { return v * p.a * p.a; };
    y[i] = f(x[i]) + g(2.0f);
}
//--
// kernel = "lambda_that_reads_a_struct"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
