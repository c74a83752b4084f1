// view assigned
struct View { const float *p; int len; __device__ float at(int k) const { return p[k]; } };

extern "C" __global__ void view_aimed_later(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    View w;
    w.p = x;
    w.len = n;
    float s = 0.0f;
    for (int k = 0; k < 3; ++k)
        s += w.p[(i + k) % w.len] * w.at(i);
    y[i] = s;
}
//--
// kernel = "view_aimed_later"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
