// constant struct
struct Prm { float a, b; float c[2]; };
__constant__ Prm prm = {2.0f, 3.0f, {0.5f, 0.25f}};

extern "C" __global__ void constant_struct_of_the_file(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = prm.a * x[i] * x[i] + prm.c[1] * x[i] + prm.b;
}
//--
// kernel = "constant_struct_of_the_file"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// prm = { shape = 1, fill = "uniform(1, 2)" }
// y = { shape = 60, fill = "zeros" }
