// methods and functions that change what they are called on, among other operands
struct Rng { unsigned s; __device__ float next(){ s = s*1664525u+1013904223u; return (s >> 8) * (1.0f/16777216.0f);} __device__ float scaled(float a) { return a * next(); } __device__ float peek() { return s * 1e-9f; } };
__device__ float draw(Rng &r) { return r.next() + 0.5f; }
__device__ float bump(float &v) { v *= 2.0f; return v * v; }
extern "C" __global__ void calls_that_change_their_object(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    Rng r{7u + i};
    float w0 = 0.0f, a = x[i], z = x[i + 1];
    y[i] = r.next()*x[i];
    y[i] += draw(r) * a;
    y[i] += a * bump(z) + (a > 0.0f ? r.next() * a : 2.0f * draw(r));
    if (r.next() > 0.3f && r.next() * a < 0.2f) y[i] += sinf(r.next()) * z;
    w0 += r.peek() * r.peek() * a;
    float w[2] = {r.next() * a, r.next() * z};
    for (int q = 0; q < 3 && r.next() < 0.9f; ++q) w[q & 1] *= r.scaled(a) + a;
    y[i] += w0 + w[0] * w[1] + fmaxf(r.next(), a);
}
//--
// kernel = "calls_that_change_their_object"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
