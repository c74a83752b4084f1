// pointers to numbers cast to pointers and references to rows
#define C 2
__device__ float trace(const float *q) { const float (&m)[C][C] = *(const float (*)[C][C])q; return m[0][0] * m[1][1]; }
extern "C" __global__ void matrices_by_casts(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    auto s = 0.0f;
    const float (*rows)[C] = (const float (*)[C])(x + 3 * i);
    for (int a = 0; a < 2; ++a) for (int b = 0; b < C; ++b) s += rows[a][b] * (*rows)[b] + ((const float (*)[C])x)[i][b];
    float (*out)[3] = reinterpret_cast<float (*)[3]>(y);
    out[i][0] = s; out[i][2] = trace(x + i) * s;
    (*(float (*)[3])(y + 3 * i))[1] = s * s;
    float flat[6] = {s, 1.0f, x[i], x[i + 1], s, 2.0f};
    float (&m)[2][3] = *(float (*)[2][3])flat;
    m[1][2] += m[0][0] * m[1][0];
    out[i][0] += flat[5];
}
//--
// kernel = "matrices_by_casts"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
