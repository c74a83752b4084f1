// pull_adj: adjoint of pull (fields_apart.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform fields_apart.cu --of force,acc,v --wrt bodies,acc,v,k --separate
//
// Call with bodies, acc, v.in and v.c as they were before pull. Seed adj_force_x with
// dJ/dforce.x: it is left alone, because pull stores each element of force.x at most
// once. Seed adj_force_y with dJ/dforce.y: it is left alone, because pull stores each
// element of force.y at most once. Seed adj_v_out with dJ/dv.out: it is left alone,
// because pull stores each element of v.out at most once. adj_acc_x comes in as
// dJ/dacc.x after pull and goes out as dJ/dacc.x before it, element by element.
// adj_acc_w comes in as dJ/dacc.w after pull and goes out as dJ/dacc.w before it,
// element by element. dJ/dbodies.at.x is added to adj_bodies_at_x; dJ/dbodies.at.y is
// added to adj_bodies_at_y; dJ/dbodies.w is added to adj_bodies_w; dJ/dbodies.mass is
// added to adj_bodies_mass; dJ/dacc.y is added to adj_acc_y; dJ/dacc.z is added to
// adj_acc_z; dJ/dv.in is added to adj_v_in; dJ/dv.gain is added to adj_v_gain; dJ/dv.c
// is added to adj_v_c; dJ/dk is added to adj_k. force and v.out are neither read nor
// written. acc is only read.
//
// What the reverse sweep needs, and where it finds it:
//   me.at.x, me.at.y, f.x,   reloaded     still in its variable
//   f.y
//   dx, dy, d                recomputed   from values at hand, in the reversed
//                                         iteration
//   me.w[..], acc[..].w      reloaded     no later store goes to it
//   bodies[..].mass,         reloaded     nothing stores to it
//   v.in[..], acc[..].z,
//   v.c[..]
//
// How adjoints are added up:
//   adj_bodies_at_x[..]   reduced per block   every thread reads the same
//                                             bodies[j].at.x
//   adj_bodies_at_x[..]   atomicAdd           other threads add to bodies[i].at.x too
//   adj_bodies_at_y[..]   reduced per block   every thread reads the same
//                                             bodies[j].at.y
//   adj_bodies_at_y[..]   atomicAdd           other threads add to bodies[i].at.y too
//   adj_bodies_w[..]      +=, one owner       one thread per element
//   adj_bodies_mass[..]   reduced per block   every thread reads the same
//                                             bodies[j].mass
//   adj_v_in[..]          +=, one owner       one thread per element
//   adj_v_c[..]           reduced per block   every thread reads v.c[1]
//   adj_acc_z[..]         +=, one owner       one thread per element
//   adj_v_gain            reduced per block   every thread has its share in it
//   adj_k                 reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Body { float2 at; float w[2]; float mass; int id; };
struct View { const float *in; float *out; float gain; float c[2]; int n; };

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void pull_adj(const Body *bodies, float *adj_bodies_at_x,
                                    float *adj_bodies_at_y, float (*adj_bodies_w)[2],
                                    float *adj_bodies_mass, float2 *force, const float *adj_force_x,
                                    const float *adj_force_y, float4 *acc, float *adj_acc_x,
                                    float *adj_acc_y, float *adj_acc_z, float *adj_acc_w, View v,
                                    float *adj_v_in, const float *adj_v_out, float *adj_v_gain,
                                    float *adj_v_c,
                                    float k, float *adj_k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_v_gain_sum = 0.0f;
    float adj_v_c_1 = 0.0f;
    float adj_k_sum = 0.0f;
    Body me;
    float2 adj_f;
    Body adj_me;
    adj_me.w[0] = 0.0f;
    adj_me.w[1] = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        me.at = bodies[i].at;
        me.w[0] = bodies[i].w[0];
        me.w[1] = bodies[i].w[1];
        float2 f = make_float2(0.0f, 0.0f);
        for (int j = 0; j < n; ++j) {
            float dx = bodies[j].at.x - me.at.x;
            float dy = bodies[j].at.y - me.at.y;
            float d = rsqrtf(dx * dx + dy * dy + 0.1f) * bodies[j].mass * me.w[1];
            f.x += dx * d;
            f.y += dy * d;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 22:  v.out[i] = v.in[i] * v.gain + v.c[1] * acc[i].z
        float g = adj_v_out[i];
        adj_v_in[i] += v.gain * g;
        adj_v_gain_sum = v.in[i] * g;
        adj_v_c_1 = acc[i].z * g;
        adj_acc_z[i] += v.c[1] * g;

        // 21:  acc[i].w *= f.y
        adj_f.y = acc[i].w * adj_acc_w[i];
        adj_acc_w[i] *= f.y;

        // 20:  acc[i].x += f.x * k
        float g_2 = adj_acc_x[i];
        adj_f.x = k * g_2;
        adj_k_sum = f.x * g_2;

        // 19:  force[i] = f
        adj_f.x += adj_force_x[i];
        adj_f.y += adj_force_y[i];
        adj_me.at = make_float2(0.0f, 0.0f);
    }
    for (int j = 0; j < n; ++j) {
        float adj_bodies_mass_sum = 0.0f;
        float adj_bodies_at_y_sum = 0.0f;
        float adj_bodies_at_x_sum = 0.0f;
        if (i < n) {
            float dx = bodies[j].at.x - me.at.x;
            float dy = bodies[j].at.y - me.at.y;
            float d = rsqrtf(dx * dx + dy * dy + 0.1f) * bodies[j].mass * me.w[1];

            // 17:  f.y += dy * d
            float adj_dy = d * adj_f.y;
            float adj_d = dy * adj_f.y;

            // 16:  f.x += dx * d
            float adj_dx = d * adj_f.x;
            adj_d += dx * adj_f.x;

            // 15:  float d = rsqrtf(dx * dx + dy * dy + 0.1f) * bodies[j].mass * me.w[1]
            float g = me.w[1] * adj_d;
            float r = rsqrtf(dx * dx + dy * dy + 0.1f);
            float g_2 = -0.5f * bodies[j].mass * r * r * r * g;
            adj_dx += 2.0f * dx * g_2;
            adj_dy += 2.0f * dy * g_2;
            adj_bodies_mass_sum = r * g;
            adj_me.w[1] += r * bodies[j].mass * adj_d;

            // 14:  float dy = bodies[j].at.y - me.at.y
            adj_bodies_at_y_sum = adj_dy;
            adj_me.at.y -= adj_dy;

            // 13:  float dx = bodies[j].at.x - me.at.x
            adj_bodies_at_x_sum = adj_dx;
            adj_me.at.x -= adj_dx;
        }
        block_add(&adj_bodies_mass[j], adj_bodies_mass_sum);
        block_add(&adj_bodies_at_y[j], adj_bodies_at_y_sum);
        block_add(&adj_bodies_at_x[j], adj_bodies_at_x_sum);
    }
    if (i < n) {
        // 10:  Body me = bodies[i]
        adj_bodies_w[i][1] += adj_me.w[1];
        adj_bodies_w[i][0] += adj_me.w[0];
        atomicAdd(&adj_bodies_at_y[i], adj_me.at.y);
        atomicAdd(&adj_bodies_at_x[i], adj_me.at.x);
    }
    block_add(adj_v_gain, adj_v_gain_sum);
    block_add(&adj_v_c[1], adj_v_c_1);
    block_add(adj_k, adj_k_sum);
}
