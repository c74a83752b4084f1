// res[i] is recorded where u says that it is read: u is needed for that, too.
extern "C" __global__ void recorded_where_it_is_read(int n, double r, const double *w, const float *in, float *y, float *yy, double *res)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        float u = 1.4f * cosf(fabsf(res[i] * 0.9));
        y[i] = sinf(yy[i] * ((double)in[i] > r * u ? res[i] : w[i]));
        res[i] = 0.5f;
    }
}

//--
// kernel = "recorded_where_it_is_read"
// of = ["yy", "y"]
// wrt = ["in", "yy"]
// [launch]
// grid = 2
// block = 2
// [args]
// n = 7
// r = 0.574
// w = {shape="n", fill="uniform(-1,1)"}
// in = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// yy = {shape="n", fill="uniform(-1,1)"}
// res = {shape="n", fill="uniform(-1,1)"}
