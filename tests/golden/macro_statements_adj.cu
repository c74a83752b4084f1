// macro_statements_adj: adjoint of macro_statements (macro_statements.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform macro_statements.cu --of y --wrt x,gain
//
// Call with x and gain as they were before macro_statements. Seed adj_y with dJ/dy: it
// is left alone, because macro_statements stores each element of y at most once. dJ/dx
// is added to adj_x; dJ/dgain is added to adj_gain. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   gain[..], x[..]   reloaded                  nothing stores to it
//   v (line 16)       dv_dv0, carried forward   line 16 changes it in each iteration,
//                                               and inputs are few
//   v (line 16)       reloaded                  still in its variable
//   table[..]         reloaded                  no store comes after
//   w                 dw_dw0, carried forward   line 18 changes it in each iteration,
//                                               and inputs are few
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_gain[..]   atomicAdd       not proved that two threads never meet in gain[i &
//                                  MASK]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

    // ---- forward sweep ------------------------------------------------------

    const float table[4] = {1.f, .5f, 2.5e-1F, KNEE};
    float v = x[i] * gain[i & MASK];
    float dv_dv0 = 1.0f;
    do
        if (v < -1.0f) {
            dv_dv0 = 0.0f;
            v = -1.0f;
        } else if (v > 1.5f) {
            dv_dv0 = 0.0f;
            v = 1.5f;
        }
    while (0);
    float w = v + table[i % 4] * (v * v - v);
    float dw_dw0 = 1.0f;
    do
        if (w < 0.0f) {
            dw_dw0 = 0.0f;
            w = 0.0f;
        } else if (w > 2.0f) {
            dw_dw0 = 0.0f;
            w = 2.0f;
        }
    while (0);

    // ---- reverse sweep ------------------------------------------------------

    // 19:  y[i] = LERP(w, 'a' - 96, KNEE) * table[(i + 1) & 3]
    float g = table[(i + 1) & 3] * adj_y[i];
    float adj_w = g - KNEE * g;

    // 18:  do
    // its tangents, carried along, are what it owes
    adj_w *= dw_dw0;

    // 17:  float w = LERP(v, v * v, table[i % 4])
    float adj_v = adj_w;
    float g_2 = table[i % 4] * adj_w;
    adj_v += 2.0f * v * g_2 - g_2;

    // 16:  do
    // its tangents, carried along, are what it owes
    adj_v *= dv_dv0;

    // 15:  float v = x[i] * gain[i & MASK]
    adj_x[i] += gain[i & MASK] * adj_v;
    atomicAdd(&adj_gain[i & MASK], x[i] * adj_v);
}
