// half is a name
struct P { float half, b; };

extern "C" __global__ void name_of_a_type_for_a_field(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float half = 0.5f * x[i];
    P p = {half, 2.0f};
    y[i] = half * p.half;
}
//--
// kernel = "name_of_a_type_for_a_field"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
