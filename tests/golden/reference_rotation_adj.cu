// reference_rotation_adj: adjoint of reference_rotation (reference_rotation.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform reference_rotation.cu --of y --wrt x,angle
//
// Call with x, angle and y as they were before reference_rotation. adj_y comes in as
// dJ/dy after reference_rotation and goes out as dJ/dy before it, element by element.
// dJ/dx is added to adj_x; dJ/dangle is added to adj_angle. The content of y afterwards
// is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]             reloaded               nothing stores to it
//   c, s (line 22),   reloaded               still in its variable
//   s (line 28)
//   u (line 5)        tape_p, a register     line 6 overwrites it
//   v (line 5)        tape_p_2, a register   line 6 overwrites it
//   u (line 6)        tape_p_3, a register   line 6 overwrites it
//   v (line 6)        tape_p_4, a register   line 6 overwrites it
//   u (line 5)        tape_p_5, a register   line 6 overwrites it
//   v (line 5)        tape_p_6, a register   line 6 overwrites it
//   u (line 6)        tape_p_7, a register   line 6 overwrites it
//   v (line 6)        tape_p_8, a register   line 6 overwrites it
//   y[..]             reloaded               no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   each thread has elements of its own
//   adj_angle[..]   +=, one owner   one thread per element
//   adj_y[..]       +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void reference_rotation_adj(const float *x, float *adj_x,
                                                  const float *angle, float *adj_angle,
                                                  float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = x[3 * i + k] * x[3 * i + k];
    float s;
    float c;
    sincosf(angle[i], &s, &c);
    float tape_p = p[0];
    float tape_p_2 = p[1];
    float t = c * p[0] - s * p[1];
    float tape_p_3 = p[0];
    float tape_p_4 = p[1];
    p[1] = s * p[0] + c * p[1];
    p[0] = t;
    float tape_p_5 = p[1];
    float tape_p_6 = p[2];
    float t_2 = s * p[1] - c * p[2];
    float tape_p_7 = p[1];
    float tape_p_8 = p[2];
    p[2] = c * p[1] + s * p[2];
    p[1] = t_2;
    y[3 * i] = 0.5f * p[0];
    y[3 * i + 1] = p[1];
    y[3 * i + 2] = p[2];
    float s_2 = p[0];

    // ---- reverse sweep ------------------------------------------------------

    // 7:  u = t
    float adj_t = adj_y[3 * i];
    adj_y[3 * i] = 0.0f;

    // 6:  v = s * u + c * v
    float g = adj_y[3 * i + 1];
    adj_y[3 * i + 1] = 0.0f;
    float adj_s_2 = y[3 * i] * g;
    adj_y[3 * i] += s_2 * g;
    float adj_c = y[3 * i + 1] * g;
    adj_y[3 * i + 1] += c * g;

    // 5:  float t = c * u - s * v
    adj_c += y[3 * i] * adj_t;
    adj_y[3 * i] += c * adj_t;
    adj_s_2 -= y[3 * i + 1] * adj_t;
    adj_y[3 * i + 1] -= s_2 * adj_t;
    float adj_p[3] = {};

    // 28:  rotate(y[3 * i], y[3 * i + 1], c, first)
    adj_p[0] += adj_s_2;

    // 27:  y[3 * i + 2] = p[2]
    adj_p[2] += adj_y[3 * i + 2];
    adj_y[3 * i + 2] = 0.0f;

    // 26:  y[3 * i + 1] = p[1]
    adj_p[1] += adj_y[3 * i + 1];
    adj_y[3 * i + 1] = 0.0f;

    // 25:  y[3 * i] = 0.5f * first
    adj_p[0] += 0.5f * adj_y[3 * i];
    adj_y[3 * i] = 0.0f;

    // 7:  u = t
    float adj_t_2 = adj_p[1];
    adj_p[1] = 0.0f;

    // 6:  v = s * u + c * v
    float g_2 = adj_p[2];
    adj_p[2] = 0.0f;
    adj_c += tape_p_7 * g_2;
    adj_p[1] += c * g_2;
    float adj_s = tape_p_8 * g_2;
    adj_p[2] += s * g_2;

    // 5:  float t = c * u - s * v
    adj_s += tape_p_5 * adj_t_2;
    adj_p[1] += s * adj_t_2;
    adj_c -= tape_p_6 * adj_t_2;
    adj_p[2] -= c * adj_t_2;

    // 7:  u = t
    float adj_t_3 = adj_p[0];
    adj_p[0] = 0.0f;

    // 6:  v = s * u + c * v
    float g_3 = adj_p[1];
    adj_p[1] = 0.0f;
    adj_s += tape_p_3 * g_3;
    adj_p[0] += s * g_3;
    adj_c += tape_p_4 * g_3;
    adj_p[1] += c * g_3;

    // 5:  float t = c * u - s * v
    adj_c += tape_p * adj_t_3;
    adj_p[0] += c * adj_t_3;
    adj_s -= tape_p_2 * adj_t_3;
    adj_p[1] -= s * adj_t_3;

    // 22:  sincosf(angle[i], &s, &c)
    adj_angle[i] += c * adj_s - s * adj_c;
    for (int k = 2; k >= 0; --k) {
        // 18:  p[k] = from * from
        adj_x[3 * i + k] += 2.0f * x[3 * i + k] * adj_p[k];
    }
}
