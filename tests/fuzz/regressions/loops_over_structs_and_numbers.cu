// loops over arrays of structs, of small integers, nested, in functions
struct P { float a, b; };
template <typename T> __device__ T total(const T (&v)[3]) { T s = 0; for (int q = 0; q < 3; ++q) s += v[q]; return s; }
__device__ float sum3(float a) { float w[3] = {a, a * a, 1.0f}; float s = 0; for (auto v : w) s += v * v; return s; }
extern "C" __global__ void loops_over_structs_and_numbers(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    P ps[3];
    int k = 1;
    for (auto &p : ps) { p.a = x[i + k]; p.b = p.a * k; ++k; }
    float s = 0;
    for (const P &p : ps) for (auto q : ps) s += p.a * q.b;
    for (P p : ps) { p.a *= 2.0f; s += p.a; if (s > 1e6f) return; }
    unsigned char c[4] = {1, 2, 0, 3};
    for (unsigned j : c) s += x[i + j] * s;
    float acc[3] = {s, s, 1.0f};
    for (float &u : acc) for (float &v : acc) { v += 0.1f * u * s; }
    for (float v : acc) s += v;
    y[i] = s + sum3(s) + total(acc);
}
//--
// kernel = "loops_over_structs_and_numbers"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
