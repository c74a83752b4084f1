// macro_statements_adj: adjoint of macro_statements (macro_statements.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform macro_statements.cu --of y --wrt x,gain
//
// Call with x and gain as they were before macro_statements. Seed adj_y with dJ/dy: it
// is left alone, because macro_statements stores each element of y at most once. dJ/dx
// is added to adj_x; dJ/dgain is added to adj_gain. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 15)       tape_v, a register   line 16 overwrites it
//   gain[..], x[..]   reloaded             nothing stores to it
//   v (line 16), w    reloaded             still in its variable
//   table[..]         reloaded             no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_gain[..]   atomicAdd       not proved that two threads never meet in gain[i &
//                                  MASK]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#define KNEE 0x1p-2f
#define MASK 0x0Fu

extern "C" __global__ __launch_bounds__(128) void macro_statements_adj(
        const float *x, float *adj_x,
        const float *gain, float *adj_gain,
        float *y, const float *adj_y, int n)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float table[4] = {1.f, .5f, 2.5e-1F, KNEE};
    float v = x[i] * gain[i & MASK];
    float tape_v = v;
    if (v < -1.0f)
        v = -1.0f;
    else if (v > 1.5f)
        v = 1.5f;
    float w = v + table[i % 4] * (v * v - v);

    // 19:  y[i] = LERP(w, 'a' - 96, KNEE) * table[(i + 1) & 3]
    float g = table[(i + 1) & 3] * adj_y[i];
    float adj_w = g - KNEE * g;
    if (w < 0.0f) {
        // 18:  CLAMP(w, 0.0f, 2.0f)
        adj_w = 0.0f;
    } else if (w > 2.0f) {
        // 18:  CLAMP(w, 0.0f, 2.0f)
        adj_w = 0.0f;
    }

    // 17:  float w = LERP(v, v * v, table[i % 4])
    float adj_v = adj_w;
    float g_2 = table[i % 4] * adj_w;
    adj_v += 2.0f * v * g_2 - g_2;
    if (tape_v < -1.0f) {
        // 16:  CLAMP(v, -1.0f, 1.5f)
        adj_v = 0.0f;
    } else if (tape_v > 1.5f) {
        // 16:  CLAMP(v, -1.0f, 1.5f)
        adj_v = 0.0f;
    }

    // 15:  float v = x[i] * gain[i & MASK]
    adj_x[i] += gain[i & MASK] * adj_v;
    atomicAdd(&adj_gain[i & MASK], x[i] * adj_v);
}
