// An array that only some iterations fill, or fill at an element that data choose, lives on.
extern "C" __global__ void rows_filled_now_and_then(const float *x, float *y, const int *idx, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a[4], b[4], c[8];
    float s = x[i];
    for (int it = 0; it < m; ++it) {
        if (it == 0)
            for (int j = 0; j < 4; ++j)
                b[j] = s * x[4 * it + j];
        b[idx[it]] = s * x[it];
        s = b[0] * b[1] + sinf(b[2] * b[3]);
    }
    for (int it = 0; it < m; ++it) {
        if (it < 1 || x[it] > 0.9f)
            for (int j = 0; j < 4; ++j)
                a[j] = s * x[4 * it + j];
        s = a[0] * a[1] + sinf(a[2] * a[3]);
    }
    int some = 2;
    for (int it = 0; it < m; ++it) {
        for (int j = 0; j < 8 - it; ++j)
            c[j] = s * x[it + j];
        s = c[0] * c[some - 1] + sinf(c[7]);
        some = it + 3;
    }
    y[i] = s;
}
//--
// kernel = "rows_filled_now_and_then"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 3
// block = 4
// [args]
// n = 10
// m = 5
// x = {shape="64", fill="uniform(0.4,1.2)"}
// y = {shape="64", fill="zeros"}
// idx = {shape="64", fill="randint(0,4)"}
