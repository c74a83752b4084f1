// trace_adj: adjoint of trace (class_templates.cu:59).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform class_templates.cu --of out --wrt a,rays --template T=float
//
// Call with a and rays as they were before trace. Seed adj_out with dJ/dout: it is left
// alone, because trace stores each element of out at most once. dJ/da is added to
// adj_a; dJ/drays is added to adj_rays. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v[k]      tape_s_v[3], registers     line 66 overwrites it
//   a[..].v   reloaded                   nothing stores to it
//   d         reloaded                   still in its variable
//   a.v[k]    tape_s_v_2[3], registers   line 66 overwrites it
//   s.v[..]   reloaded                   no later store goes to it
//
// How adjoints are added up:
//   adj_a[..].v           +=, one owner   each thread has elements of its own
//   adj_rays[..].from.v   +=, one owner   each thread has elements of its own
//   adj_rays[..].t        +=, one owner   one thread per element
//
// At kinks and singular points:
//   max: at a tie the first argument takes the whole adjoint
//
// Of the template trace this is the instance with T = float.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Vec_float_3 {
    float v[3];
};
struct Ray {
    Vec_float_3 from;
    float t;
};

extern "C" __global__ void trace_adj(const Vec_float_3 *a, Vec_float_3 *adj_a,
                                     const Ray *rays, Ray *adj_rays,
                                     float2 *out, const float2 *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    Vec_float_3 s;
    for (int k = 0; k < 3; ++k)
        s.v[k] = a[i].v[k] + rays[i].from.v[k];
    float s_2 = 0;
    float tape_s_v[3];
    for (int k = 0; k < 3; ++k) {
        tape_s_v[k] = s.v[k];
        s_2 += s.v[k] * a[i].v[k];
    }
    float d = s_2;
    Vec_float_3 r;
    float tape_s_v_2[3];
    for (int k = 0; k < 3; ++k) {
        tape_s_v_2[k] = s.v[k];
        r.v[k] = d * s.v[k];
    }
    s = r;

    // ---- reverse sweep ------------------------------------------------------

    Vec_float_3 adj_s = {};
    float adj_d = 0.0f;

    // 69:  out[i].y = Vec<T>::longest(d, s.v[1])
    float g = 3 * adj_out[i].y;
    if (max(d, s.v[1]) == d)
        adj_d = g;
    else
        adj_s.v[1] += g;

    // 68:  out[i].x = span.width() * Vec<T>::size
    float g_2 = 3 * adj_out[i].x;

    // 67:  Span<T> span(rays[i].t, first(s))
    adj_s.v[0] += g_2;
    adj_rays[i].t -= g_2;
    Vec_float_3 adj_r = {};

    // 66:  s = d * s
    adj_r.v[2] += adj_s.v[2];
    adj_s.v[2] = 0.0f;
    adj_r.v[1] += adj_s.v[1];
    adj_s.v[1] = 0.0f;
    adj_r.v[0] += adj_s.v[0];
    adj_s.v[0] = 0.0f;
    for (int k = 2; k >= 0; --k) {
        // 32:  r.v[k] = s * a.v[k]
        float g = adj_r.v[k];
        adj_d += tape_s_v_2[k] * g;
        adj_s.v[k] += d * g;
    }

    // 65:  Vec<T>::scalar d = s.dot(a[i])
    for (int k = 0; k < 3; ++k) {
        // 20:  s += v[k] * o.v[k]
        adj_s.v[k] += a[i].v[k] * adj_d;
        adj_a[i].v[k] += tape_s_v[k] * adj_d;
    }
    for (int k = 2; k >= 0; --k) {
        // 13:  r.v[k] = v[k] + o.v[k]
        float g = adj_s.v[k];
        adj_a[i].v[k] += g;
        adj_rays[i].from.v[k] += g;
    }
}
