// compound_adj: adjoint of compound (compound.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform compound.cu --of y --wrt x,w
//
// Call with x and w as they were before compound. Seed adj_y with dJ/dy: it is left
// alone, because compound stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 8)     tape_v, a register     line 9 overwrites it
//   v (line 9)     tape_v_2, a register   line 10 overwrites it
//   w[..], x[..]   reloaded               nothing stores to it
//   v (line 10)    tape_v_3, a register   line 11 overwrites it
//   v (line 11)    tape_v_4, a register   line 12 overwrites it
//   v (line 13)    tape_v_5, a register   line 14 overwrites it
//   v (line 16)    reloaded               still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_w[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void compound_adj(const float *x, float *adj_x,
                                        const float *w, float *adj_w,
                                        float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    float tape_v = v;
    v += v * w[i];
    float tape_v_2 = v;
    v *= v;
    float tape_v_3 = v;
    v -= 0.5f * v * w[i];
    float tape_v_4 = v;
    v /= 1.0f + v * v;
    v++;
    float tape_v_5 = v;
    v *= w[i];
    --v;
    v += x[i] - 0.5f * v;

    // 19:  y[i] = v
    float adj_v = adj_y[i];
    // 18:  v *= 3.0f
    adj_v *= 3.0f;

    // 17:  v -= v / (2.0f + x[i] * x[i])
    float g = -(adj_v / (2.0f + x[i] * x[i]));
    adj_x[i] -= 2.0f * (v / (2.0f + x[i] * x[i])) * x[i] * g;
    adj_v += g;

    // 16:  v += x[i] - 0.5f * v
    adj_x[i] += adj_v;
    adj_v -= 0.5f * adj_v;

    // 14:  v *= w[i]
    adj_w[i] += tape_v_5 * adj_v;
    adj_v *= w[i];

    // 12:  v /= 1.0f + v * v
    float g_2 = adj_v / (1.0f + tape_v_4 * tape_v_4);
    adj_v = g_2 - 2.0f * tape_v_4 * tape_v_4 * g_2 / (1.0f + tape_v_4 * tape_v_4);

    // 11:  v -= 0.5f * v * w[i]
    adj_w[i] -= 0.5f * tape_v_3 * adj_v;
    adj_v -= 0.5f * w[i] * adj_v;

    // 10:  v *= v
    adj_v *= 2.0f * tape_v_2;

    // 9:  v += v * w[i]
    adj_w[i] += tape_v * adj_v;
    adj_v += w[i] * adj_v;

    // 8:  float v = x[i]
    adj_x[i] += adj_v;
}
