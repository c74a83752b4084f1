// changed_arguments_adj: adjoint of changed_arguments (changed_arguments.cu:20).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform changed_arguments.cu --of y --wrt x
//
// Call with x as it was before changed_arguments. Seed adj_y with dJ/dy: it is left
// alone, because changed_arguments stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, r.b, a, r.a (line 16)   reloaded               still in its variable
//   r.a (line 10)              tape_r_a, a register   line 16 overwrites it
//   k                          recomputed             from values at hand
//   q[..].a, q[..].b           reloaded               no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Ring {
    float a, b;
};

__global__ void changed_arguments_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    float v = 0.5f * a;
    a += v * v;
    Ring r;
    r.a = a;
    float tape_r_a = r.a;
    r.b = v;
    Ring q[2];
    int k = 0;
    float a_was = a;
    a *= 1.5f;
    q[k].a = a_was;
    q[k].b = a;
    k++;
    a += r.b * r.b;
    Ring r_2 = {a, r.b};
    q[k] = r_2;
    r.a = sinf(r.a) * r.b;

    // 33:  y[i] = sum + r.a
    float g = adj_y[i];
    Ring adj_r;
    adj_r.a = g;

    // 32:  sum += q[k].a > 0.0f ? stepped(r) : q[0].b * q[0].a
    Ring adj_q[2] = {};
    adj_r.b = 0.0f;
    if (q[k].a > 0.0f) {
        // 32:  stepped(r)
        adj_r.a += g;

        // 16:  r.a = sinf(r.a) * r.b
        adj_r.b = sinf(r.a) * adj_r.a;
        adj_r.a *= r.b * cosf(r.a);
    } else {
        // 32:  q[0].b * q[0].a
        adj_q[0].a += q[0].b * g;
        adj_q[0].b += q[0].a * g;
    }

    // 31:  sum += stepped(r) * a
    adj_r.a += a * g;
    float adj_a = r.a * g;

    // 16:  r.a = sinf(r.a) * r.b
    adj_r.b += sinf(tape_r_a) * adj_r.a;
    adj_r.a *= r.b * cosf(tape_r_a);

    // 30:  q[k] = turned(&a, r.b)
    Ring adj_r_2;
    adj_r_2.b = adj_q[k].b;
    adj_q[k].b = 0.0f;
    adj_r_2.a = adj_q[k].a;
    adj_q[k].a = 0.0f;

    // 10:  Ring r = {*t, v}
    adj_r.b += adj_r_2.b;
    adj_a += adj_r_2.a;

    // 9:  *t += v * v
    adj_r.b += 2.0f * r.b * adj_a;
    // 29:  q[k++] = {a, a *= 1.5f}
    adj_a += adj_q[0].b;
    // 29:  a *= 1.5f
    adj_a *= 1.5f;
    // 29:  a
    adj_a += adj_q[0].a;

    // 10:  Ring r = {*t, v}
    float adj_v = adj_r.b;
    adj_a += adj_r.a;

    // 9:  *t += v * v
    adj_v += 2.0f * v * adj_a;
    // 26:  0.5f * a
    adj_a += 0.5f * adj_v;
    // 25:  float a = x[i]
    adj_x[i] += adj_a;
}
