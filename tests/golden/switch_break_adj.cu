// switch_break_adj: adjoint of switch_break (switch_break.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform switch_break.cu --of y --wrt x,p
//
// Call with x, p and kind as they were before switch_break. Seed adj_y with dJ/dy: it
// is left alone, because switch_break stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dp is added to adj_p. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, r (line 17),   reloaded   still in its variable
//   r (line 20)
//   p[..], x[..]      reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_p[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void switch_break_adj(const float *x, float *adj_x,
                                            const float *p, float *adj_p, const int *kind,
                                            float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i] * p[i];

    // 29:  y[i] = r
    float adj_r = adj_y[i];
    float adj_v = 0.0f;
    switch (kind[i]) {
    case 0:
        // 14:  r = v > 0.0f ? v : 0.0f
        if (v > 0.0f)
            adj_v += adj_r;
        break;
    case 1: {
        float r = tanhf(v);

        // 17:  r = tanhf(v)
        adj_v += (1.0f - r * r) * adj_r;
        break;
    }
    case 2: {
        float r_2 = 1.0f / (1.0f + expf(-v));

        // 20:  r = 1.0f / (1.0f + expf(-v))
        adj_v += r_2 * r_2 * expf(-v) * adj_r;
        break;
    }
    case 3:
    case 4:
        // 24:  r = v
        adj_v += adj_r;
        break;
    default:
        // 27:  r = v * v
        adj_v += 2.0f * v * adj_r;
        break;
    }

    // 10:  float v = x[i] * p[i]
    adj_x[i] += p[i] * adj_v;
    adj_p[i] += x[i] * adj_v;
}
