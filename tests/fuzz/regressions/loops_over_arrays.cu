// loops over the elements of arrays
struct S { float w[3]; int n; };
extern "C" __global__ void loops_over_arrays(const float *x, float *y, int n){
    __shared__ float tile[32];
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i >= n) return;
    float q[4] = {x[i], 2.0f*x[i], 1.0f, x[i]*x[i]};
    for (auto &r : q) r *= r;
    float s = 0; for (float r : q) s += r;
    for (const float &t : tile) { if (t > 1.0f) continue; s += t * q[1]; if (s > 40.0f) break; }
    S a; a.n = 1;
    for (auto &w : a.w) w = s * 0.1f;
    for (auto w : a.w) s += w * w;
    float m[2][3];
    for (int k = 0; k < 2; ++k) for (float &v : m[k]) v = s * (k + 1);
    for (auto &row : m) for (float v : row) s += sinf(v);
    const int at[3] = {2, 0, 1};
    for (int k : at) s += m[1][k] * k;
    y[i]=s;
}
//--
// kernel = "loops_over_arrays"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
