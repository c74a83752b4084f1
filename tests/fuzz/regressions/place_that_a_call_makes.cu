// templates of such functions; one that picks a variable, one that changes its argument
template <typename T, int N> __device__ T &el(T *a, int r, int c) { return a[r * N + c]; }
template <typename T> __device__ T &pick(T &a, T &b, bool c) { return c ? a : b; }
__device__ float &ref(float *a, int &c) { c++; return a[c]; }
extern "C" __global__ void place_that_a_call_makes(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    float m[4] = {x[i], x[i+1], 2.0f, 1.0f};
    el<float, 2>(m, 1, 0) = el<float, 2>(m, 0, 1) * m[0];
    float u = x[i], v = x[i+2];
    pick(u, v, u > v) *= 3.0f;
    int c = 0;
    ref(m, c) = u * v;
    ref(m, c) += u;
    y[i] = m[0] * m[1] + m[2] + u * v;
}
//--
// kernel = "place_that_a_call_makes"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
