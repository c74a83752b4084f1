// a state that a call sets, in a loop that could carry a tangent
__device__ __forceinline__ float f0(int k, float h)
{
    if (k + 0 > k) {
        if (h > 0.4) {
            float start = -h;
            return 1.4f * cosf(start - h / (1.5f + start * start));
        }
        return sin(h * h * (h - h));
    }
    return 1.4f * cosf(h * h - fminf(h, h));
}

extern "C" __global__ void call_in_a_loop(const float *a0, int lim, const float *b, int n, float *st)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float z, f;
    sincosf(a0[((i - (lim - i)) % 7 + 7) % 7] + b[i], &z, &f);
    if (true) {
        for (int ii = 0; ii != 0; ++ii) {
            if (0.5f > f)
                f = f0(0, b[(i + n - 1) % n]);
        }
        return;
    }
    st[i] = f;
}
//--
// kernel = "call_in_a_loop"
// of = ["st"]
// wrt = ["a0", "st", "b"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// a0 = {shape="n", fill="uniform(-1,1)"}
// lim = 0
// b = {shape="n", fill="uniform(-1,1)"}
// n = 7
// st = {shape="n", fill="uniform(-1,1)"}
