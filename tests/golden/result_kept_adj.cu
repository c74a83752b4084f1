// result_kept_adj: adjoint of result_kept (result_kept.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform result_kept.cu --of y --wrt x
//
// Call with x as it was before result_kept. Seed adj_y with dJ/dy: it is left alone,
// because result_kept stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 10)   tape_v, a register     line 11 overwrites it
//   v (line 11)   tape_v_2, a register   line 12 overwrites it
//   v (line 12)   tape_v_3, a register   line 13 overwrites it
//   v (line 13)   tape_v_4, a register   line 14 overwrites it
//   v (line 14)   tape_v_5, a register   line 15 overwrites it
//   v (line 15)   tape_v_6, a register   line 16 overwrites it
//   v (line 16)   reloaded               still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//   cbrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void result_kept_adj(const float *x, float *adj_x,
                                           float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    v = expf(v);
    float tape_v = v;
    v = sqrtf(v);
    float tape_v_2 = v;
    v = tanhf(v);
    float tape_v_3 = v;
    v = 1.0f / v;
    float tape_v_4 = v;
    v = 2.0f / (1.0f + v);
    float tape_v_5 = v;
    v = cbrtf(v);
    float tape_v_6 = v;
    v = rsqrtf(v);

    // 17:  y[i] = v
    float adj_v = adj_y[i];
    // 16:  v = rsqrtf(v)
    adj_v = -0.5f * v * v * v * adj_v;

    // 15:  v = cbrtf(v)
    float g = adj_v;
    adj_v = 0.0f;
    if (g != 0.0f)
        adj_v += g / (3.0f * tape_v_6 * tape_v_6);

    // 14:  v = 2.0f / (1.0f + v)
    adj_v = -(tape_v_5 * tape_v_5 * adj_v / 2.0f);
    // 13:  v = 1.0f / v
    adj_v = -(tape_v_4 * tape_v_4 * adj_v);
    // 12:  v = tanhf(v)
    adj_v *= 1.0f - tape_v_3 * tape_v_3;

    // 11:  v = sqrtf(v)
    float g_2 = adj_v;
    adj_v = 0.0f;
    if (g_2 != 0.0f)
        adj_v += 0.5f * g_2 / tape_v_2;

    // 10:  v = expf(v)
    adj_v *= tape_v;
    // 9:  float v = x[i]
    adj_x[i] += adj_v;
}
