// two objects, each changed once in an expression
struct Acc { float s; int n; __device__ float add(float v) { s += v; n++; return s / n; } __device__ float sq() const { return s * s; }
  __device__ float twice(float v) { add(v); return add(v); } };
__device__ float step(float *h, int &j) { h[j] *= 2.0f; j++; return h[j - 1]; }
extern "C" __global__ void calls_that_change_one_of_two_objects(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    Acc a{0.0f, 0};
    Acc b = {x[i], 1};
    y[i] = a.add(x[i]) * b.add(x[i + 1]);
    y[i] += a.sq() * b.twice(x[i]);
    float h[3] = {x[i], 1.5f, x[i + 2]};
    int j = 0;
    y[i] += x[i] * step(h, j) + a.s * sinf(b.add(y[i]));
    if (a.add(h[1]) > 0.0f) y[i] *= 1.0f + step(h, j) * a.add(0.5f);
    y[i + 100] = cosf(h[j = 2]) - a.add(y[i]) ;
}
//--
// kernel = "calls_that_change_one_of_two_objects"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
