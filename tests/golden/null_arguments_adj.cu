// paths_adj: adjoint of paths (null_arguments.cu:35).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform null_arguments.cu --of y,trace --wrt x
//
// Call with x as it was before paths. Seed adj_trace with dJ/dtrace: it is left alone,
// because paths stores each element of trace at most once. Seed adj_y with dJ/dy: it is
// left alone, because paths stores each element of y at most once. dJ/dx is added to
// adj_x. trace and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a (line 41), b (line 41),   reloaded                 still in its variable
//   a (line 43), b (line 43),
//   r.y, v.x (line 47),
//   v.y (line 47),
//   weighed_value,
//   weighed_value2
//   v.x (line 44)               tape_v_x, a register     line 46 overwrites it
//   v.y (line 44)               tape_v_y, a register     line 46 overwrites it
//   v.x (line 46)               tape_v_x_2, a register   line 47 overwrites it
//   v.y (line 46)               tape_v_y_2, a register   line 47 overwrites it
//   own[..], time[..]           reloaded                 no later store goes to it
//   x[..]                       reloaded                 nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, adj_x is nullptr
// where x is, adj_trace is nullptr where trace is.

__global__ void paths_adj(const float *x, float *adj_x,
                          float *trace, const float *adj_trace,
                          float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float at;
    float speed;
    float a = x[i];
    float b = x[i] * 2.0f;
    at = a * b;
    speed = sin(a) * b;
    float time[2] = {0.0f, 1.0f};
    float a_2 = at;
    float b_2 = speed;
    at = a_2 * b_2;
    speed = sin(a_2) * b_2;
    time[0] = a_2;
    time[1] += a_2 * b_2;
    float2 v;
    v.x = at;
    float tape_v_x = v.x;
    v.y = speed;
    float tape_v_y = v.y;
    float own[2];
    float2 r = make_float2(v.x * v.y, v.x - v.y);
    v.x = r.x;
    float tape_v_x_2 = v.x;
    v.y = r.y;
    float tape_v_y_2 = v.y;
    bool has_trace = trace != nullptr;
    float2 r_2 = make_float2(v.x * v.y, v.x - v.y);
    if (has_trace) {
        own[0] = r_2.x;
        own[1] = r_2.y * r_2.y;
    }
    v = r_2;
    float adj_time[2] = {};

    // 50:  y[i] = v.x * v.y + time[0] * time[1] + weighed(nullptr, v.x) * weighed(x + i, v.y)
    float g = adj_y[i];
    float2 adj_v = make_float2(v.y * g, v.x * g);
    adj_time[0] += time[1] * g;
    adj_time[1] += time[0] * g;
    float adj_weighed_value2 = v.x * g;

    // 50:  weighed(x + i, v.y)
    if (x != nullptr) {
        adj_x[i] += v.y * adj_weighed_value2;
        adj_v.y += x[i] * adj_weighed_value2;
    } else {
        adj_v.y += adj_weighed_value2;
    }

    // 50:  weighed(nullptr, v.x)
    adj_v.x += (x != nullptr ? x[i] * v.y : v.y) * g;
    float adj_own[2] = {};
    if (trace != nullptr) {
        // 49:  trace[i] = own[0] * own[1]
        float g = adj_trace[i];
        adj_own[0] += own[1] * g;
        adj_own[1] += own[0] * g;
    }

    // 47:  v = turned(v, trace != nullptr ? own : nullptr, 0)
    float2 adj_r_2 = adj_v;
    if (has_trace) {
        // 30:  trace[place + 1] = r.y * r.y
        adj_r_2.y += 2.0f * r_2.y * adj_own[1];
        // 29:  trace[place] = r.x
        adj_r_2.x += adj_own[0];
    }

    // 27:  float2 r = make_float2(v.x * v.y, v.x - v.y)
    adj_v = make_float2(adj_r_2.y, -adj_r_2.y);
    adj_v.x += tape_v_y_2 * adj_r_2.x;
    adj_v.y += tape_v_x_2 * adj_r_2.x;

    // 46:  v = turned(v, nullptr, 0)
    float2 adj_r;
    adj_r.x = adj_v.x;

    // 27:  float2 r = make_float2(v.x * v.y, v.x - v.y)
    adj_v = make_float2(adj_v.y, -adj_v.y);
    adj_v.x += tape_v_y * adj_r.x;
    adj_v.y += tape_v_x * adj_r.x;

    // 11:  time[1] += a * b
    float g_2 = adj_time[1];
    float adj_a_2 = b_2 * g_2;
    float adj_b_2 = a_2 * g_2;

    // 9:  *time = a
    adj_a_2 += adj_time[0];

    // 7:  *speed = sin(a) * b
    adj_a_2 += b_2 * cos(a_2) * adj_v.y;
    adj_b_2 += sin(a_2) * adj_v.y;

    // 6:  *at = a * b
    adj_a_2 += b_2 * adj_v.x;
    adj_b_2 += a_2 * adj_v.x;

    // 7:  *speed = sin(a) * b
    float adj_a = b * cos(a) * adj_b_2;
    float adj_b = sin(a) * adj_b_2;

    // 6:  *at = a * b
    adj_a += b * adj_a_2;
    adj_b += a * adj_a_2;

    // 41:  at_rest<float>(x[i], x[i] * 2.0f, &at, &speed)
    adj_x[i] += 2.0f * adj_b + adj_a;
}
