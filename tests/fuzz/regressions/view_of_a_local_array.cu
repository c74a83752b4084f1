// view of a local array
struct View { float *p; int len; };

extern "C" __global__ void view_of_a_local_array(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float buf[4] = {x[i], 2.0f, x[i] * x[i], 1.0f};
    View w;
    w.p = buf;
    w.len = 4;
    float s = 1.0f;
    for (int k = 0; k < w.len; ++k)
        s *= w.p[k];
    w.p[1] = s;
    y[i] = s * buf[1];
}
//--
// kernel = "view_of_a_local_array"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
