// s2sad: --of y --wrt x,gain
// Macros that stand for statements, for expressions with arguments, and for nothing; literals of all spellings.
#define CLAMP(v, lo, hi) do { if ((v) < (lo)) v = (lo); else if ((v) > (hi)) v = (hi); } while (0)
#define LERP(a, b, t) ((a) + (t) * ((b) - (a)))
#define KNEE 0x1p-2f
#define INLINE
#define MASK 0x0Fu

INLINE extern "C" __global__ void __launch_bounds__(128) macro_statements(const float *x, const float *gain, float *y, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float table[4] = {1.f, .5f, 2.5e-1F, KNEE};
    float v = x[i] * gain[i & MASK];
    CLAMP(v, -1.0f, 1.5f);
    float w = LERP(v, v * v, table[i % 4]);
    CLAMP(w, 0.0f, 2.0f);
    y[i] = LERP(w, 'a' - 96, KNEE) * table[(i + 1) & 3];
}
