// same_number_adj: adjoint of same_number (same_number.cu:30).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform same_number.cu --of y,z --wrt x,z
//
// Call with x and z as they were before same_number. Seed adj_y with dJ/dy: it is left
// alone, because same_number stores each element of y at most once. adj_z comes in as
// dJ/dz after same_number and goes out as dJ/dz before it, element by element. dJ/dx is
// added to adj_x. y is neither read nor written. The content of z afterwards is
// unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   p.x (line 35)            tape_p_x, a register   line 37 overwrites it
//   p.y (line 36)            tape_p_y, a register   line 37 overwrites it
//   p.x (line 37),           reloaded               still in its variable
//   p.y (line 37),
//   v (line 20), q.x, q.y,
//   q.z, w, r.x, r.y
//   v (line 39)              tape_v, a register     line 20 overwrites it
//   a                        tape_z, a register     line 26 overwrites it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_z[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Pair {
    float x, y;
};

extern "C" __global__ void same_number_adj(const float *x, float *adj_x,
                                           float *y, const float *adj_y,
                                           float *z, float *adj_z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pair p;
        p.x = x[i];
        float tape_p_x = p.x;
        p.y = 1.0f - x[i];
        float tape_p_y = p.y;
        p.x *= p.x;
        p.y *= p.x;

        float v = x[i] + 0.5f;
        float tape_v = v;
        v = v * v;
        float3 q = make_float3(v, v, v * v);

        z[i] += 3.0f * x[i];
        float w = z[i];
        float tape_z = z[i];
        z[i] = w * z[i];
        float3 r;
        r.x = z[i];
        r.y = w;

        // 45:  y[i] = p.x + p.y * q.y + q.x * q.z + r.x * r.y
        float g = adj_y[i];
        Pair adj_p = {g, q.y * g};

        // 44:  float3 r = stored(view, i, z[i], z[i])
        float adj_w = r.x * g;
        adj_z[i] += r.y * g;

        // 26:  v.at[i] = w * a
        adj_w += tape_z * adj_z[i];
        adj_z[i] *= w;

        // 44:  z[i]
        adj_z[i] += adj_w;
        // 42:  z[i] += 3.0f * x[i]
        adj_x[i] += 3.0f * adj_z[i];
        // 40:  float3 q = both(v, v)
        float adj_v = (2.0f * v * q.x + p.y + q.z) * g;
        // 20:  b = a * a
        adj_v *= 2.0f * tape_v;
        // 39:  float v = x[i] + 0.5f
        adj_x[i] += adj_v;

        // 37:  p *= p.x
        adj_p.x += tape_p_y * adj_p.y;
        adj_p.y *= p.x;
        adj_p.x *= 2.0f * tape_p_x;

        // 35:  p.x = x[i]
        adj_x[i] += adj_p.x;
        // 36:  p.y = 1.0f - x[i]
        adj_x[i] -= adj_p.y;
    }
}
