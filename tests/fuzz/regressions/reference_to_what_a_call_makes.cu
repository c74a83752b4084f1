// methods that change their object and return a reference to an element
struct St { float v[4]; int n; __device__ float &push() { n++; return v[n - 1]; } __device__ float &top() { int k = n - 1; return v[k]; } };
__device__ float &clampat(float *a, int i) { if (i > 2) i = 2; return a[i]; }
__device__ void sq(float &a) { a *= a; }
extern "C" __global__ void reference_to_what_a_call_makes(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    St s; s.n = 0;
    s.push() = x[i];
    s.push() = x[i + 1];
    float &r = clampat(s.v, 7 * i % 2);
    r *= 2.0f;
    float &z = s.push();
    z = x[i];
    auto &w = s.top();
    w += x[i];
    y[i] = s.v[0] * s.v[1] * s.v[2];
}
//--
// kernel = "reference_to_what_a_call_makes"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
