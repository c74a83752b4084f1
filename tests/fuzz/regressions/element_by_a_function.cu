// functions that return a reference to an element, to a variable, overloaded by const
#define W 4
__device__ float &at(float *a, int r, int c){ int k = r*W + c; return a[k]; }
__device__ const float &at(const float *a, int r, int c){ return *(a + r*W + c); }
__device__ inline float &first(float (&m)[8]) { return m[0]; }
__device__ inline float &same(float &m) { return m; }
extern "C" __global__ void element_by_a_function(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    float m[8];
    for (int r = 0; r < 2; ++r) for (int c = 0; c < W; ++c) at(m, r, c) = at(x, i, c) * (r + 1);
    at(m, 1, 2) *= at(m, 0, 1);
    first(m) += at(m, 1, 3);
    same(m[1]) *= 2.0f;
    float &r = at(m, 1, 1);
    r *= r;
    at(y, i, 1) = at(m, 0, 0) * at(m, 0, 1) + at(m, 1, 1) + at(m, 1, 2);
}
//--
// kernel = "element_by_a_function"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
