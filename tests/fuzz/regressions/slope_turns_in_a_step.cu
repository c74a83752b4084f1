// A chaotic loop of 148 steps: its slope turns within a difference's step, and the exact tangent judges.
struct In_float { int tag; float v; float w[2]; __device__ float get() const { return v; } __device__ void set(float a) { v = a; } }; struct Of_float { float u; int tag; In_float at; }; __device__ void put_float(float &to, float a) { to = a; } __device__ void put_at_float(In_float *to, float a) { to->v = a; } __device__ void put_in_float(In_float &to, float a) { to.set(a); } struct In_double { int tag; double v; double w[2]; __device__ double get() const { return v; } __device__ void set(double a) { v = a; } }; struct Of_double { double u; int tag; In_double at; }; __device__ void put_double(double &to, double a) { to = a; } __device__ void put_at_double(In_double *to, double a) { to->v = a; } __device__ void put_in_double(In_double &to, double a) { to.set(a); } __device__ float phi0(int o)
{
    float p[2];
    for (int q0 = 0; q0 < 2; ++q0) {
        p[q0] = 0.3f * (((q0 / 3) != q0 ? 0.6 : 0.25f) - (0.3f - 0.25f));
    }
    double z = 1.4f * sin((p[((((o + o) + (o - o))) % 2 + 2) % 2] / (1.5f + p[o % 2] * p[o % 2]) - p[(((4 - o)) % 3) % 2] * p[((o + o * 3)) % 2]));
    if ((p[(4 / 2) / 3] * p[(o % 3) % 2]) > ((p[2 % 2] - p[o % 2]))) {
        {
            const float *v = p;
            for (int q3 = 0; q3 < 2; ++q3) {
                z = sinf(z + *v) + 0.2f * (0 + 0.6); v++;
            }
        }
        z = 1.4f * cosf(logf(1.5f + sin((p[(o * 3 * 2) % 2] - z) * (z + p[(o / 3) % 2])) * sin((p[(o * 3 * 2) % 2] - z) * (z + p[(o / 3) % 2]))));
    } else {
        float *w = &p[0];
    }
    return 1.4f * cosf((0.6 * 0.9 - (((1.0f + 0.3f)) >= (fminf(0.5f, 1.0f)) ? 0.9 : 0.3f)));
}

extern "C" __global__ void k22(Of_double *out, const int *cnt, Of_float *vv, int lim, int n, const int *idx, const double *x, const Of_float *in, Of_float *res, int m, const Of_float *tape_x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int l = 3 % 3;
    float d[3] = {phi0((l % 4 + 4) % 4), x[(((lim - 2 / 2)) % 5 + 5) % 5], 1.4f * cosf(tape_x[(4 * 3) / 3].at.v * x[i])};
    {
        int &k = l;
        {
            float &f = d[((m * 3 + cnt[((int)(1.5f + sinf(x[(i + n - 1) % n] * in[(i + n - 1) % n].at.v)) + (idx[idx[(l % 5 + 5) % 5]]) / 3)])) % 3];
            float *acc = d;
            for (int o = (int)(37 * 4) - 1; o >= 0; o -= 1) {
                f = 0.8f * sinf(f + f * d[((n - m)) % 3]) + 0.01f * o;
            }
        }
    }
    vv[i].at.v = x[(i + n - 1) % n] / (1.5f + ((float)(d[n % 3]) - cosf(tape_x[i].at.v)) * ((float)(d[n % 3]) - cosf(tape_x[i].at.v)));
    out[i].at.v = 0.4f * fmaxf(powf(1.2f + 0.5f * sinf(d[((4 - lim)) % 3] * tape_x[i].at.v), 1.5f), d[(((i - (idx[idx[((i + i) * 2) % 5]] + 4))) % 3 + 3) % 3]);
    res[i].at.v = 1.4f * sinf((tanhf((in[i].at.v * tape_x[(idx[i]) / 3].at.v - (d[lim % 3] - tape_x[((n + (1 - idx[1]))) % 5].at.v))) - ((x[(i + n - 1) % n] + tape_x[idx[i]].at.v) - sin(sqrt(0.5 + in[(i + n - 1) % n].at.v * in[(i + n - 1) % n].at.v)))));
}

//--
// kernel = "k22"
// of = ["vv", "out", "res"]
// wrt = ["in", "out", "res", "tape_x", "vv", "x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// out = {shape="n", fill="uniform(-1,1)"}
// cnt = {shape="n", fill="randint(0,4)"}
// vv = {shape="n", fill="uniform(-1,1)"}
// lim = 1
// n = 5
// idx = {shape="n", fill="randint(0,n)"}
// x = {shape="n", fill="uniform(-1,1)"}
// in = {shape="n", fill="uniform(-1,1)"}
// res = {shape="n", fill="uniform(-1,1)"}
// m = 3
// tape_x = {shape="n", fill="uniform(-1,1)"}
