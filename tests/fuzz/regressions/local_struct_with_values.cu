// A struct in a function whose fields have values.
extern "C" __global__ void local_struct_with_values(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct Acc {
        float sum = 0.0f;
        int count = 1;
    };
    Acc a;
    for (int j = 0; j < 3; ++j) {
        a.sum += x[i] * (float)a.count * x[i];
        a.count++;
    }
    Acc b{x[i]}, c = {a.sum, 2};
    y[i] = a.sum * b.sum * (float)(b.count + c.count) * c.sum;
}
//--
// kernel = "local_struct_with_values"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
