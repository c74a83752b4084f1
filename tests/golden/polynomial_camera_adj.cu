// distort_adj: adjoint of distort (polynomial_camera.cu:50).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform polynomial_camera.cu --of y --wrt x,w
//
// Call with x, w and trace as they were before distort. Seed adj_y with dJ/dy: it is
// left alone, because distort stores each element of y at most once. adj_trace must
// come in zero; its content afterwards is unspecified. dJ/dx is added to adj_x; dJ/dw
// is added to adj_w. y is neither read nor written. The content of trace afterwards is
// unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   at.x (line 56)           tape_at_x, a register                  line 39 overwrites it
//   at.y, r2, to.x, to.y,    reloaded                               still in its variable
//   radial (line 16),
//   at.x (line 59),
//   turned.x (line 62),
//   turned.y (line 62),
//   horner_value (line 16)
//   radial (line 16)         dradial_dr2, carried forward           line 17 changes it in
//                                                                   each iteration, and
//                                                                   inputs are few
//   lens.p[..], trace[..]    reloaded                               no later store goes to
//                                                                   it
//   turned.x (line 61)       tape_turned_x, a register              line 62 overwrites it
//   turned.y (line 61)       tape_turned_y, a register              line 62 overwrites it
//   horner_value (line 16)   dhorner_value_dat.x, carried forward   line 17 changes it in
//                                                                   each iteration, and
//                                                                   inputs are few
//
// How adjoints are added up:
//   adj_w[..]       reduced per block   every thread reads w[i], w[RADIAL] and w[RADIAL
//                                       + 1]
//   adj_x[..]       +=, one owner       one thread per element
//   adj_trace[..]   +=, one owner       one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

using Count = int;

constexpr Count RADIAL = 3;
constexpr Count TANGENTIAL = RADIAL - 1;

struct Lens {
    float k[RADIAL];
    float p[TANGENTIAL];
    unsigned degree;
};

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

__global__ void distort_adj(const float *x, float *adj_x,
                            const float *w, float *adj_w,
                            float *trace, float *adj_trace,
                            float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_w_sum = 0.0f;
    float adj_w_3 = 0.0f;
    Lens adj_lens = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        Lens lens;
        for (int i_2 = 0; i_2 < RADIAL; ++i_2)
            lens.k[i_2] = w[i_2];
        lens.p[0] = w[RADIAL];
        lens.p[1] = w[RADIAL + 1];
        lens.degree = RADIAL;
        float2 at;
        at.x = x[2 * i];
        float tape_at_x = at.x;
        at.y = x[2 * i + 1];
        float2 to = at;
        bool moved_result;
        float r2 = at.x * at.x + at.y * at.y;
        if (r2 > 4.0f) {
            moved_result = false;
        } else {
            int n = lens.degree;
            float radial = 0.0f;
            for (int i_2 = n - 1; i_2 >= 0; --i_2)
                radial = radial * r2 + lens.k[i_2];
            to.x = at.x * radial + 2.0f * lens.p[0] * at.x * at.y;
            to.y = at.y * radial + lens.p[1] * (r2 + 2.0f * at.y * at.y);
            moved_result = true;
        }
        bool inside = moved_result;
        bool moved_result2;
        float r2_2 = to.x * to.x + to.y * to.y;
        if (r2_2 > 4.0f) {
            moved_result2 = false;
        } else {
            int n = lens.degree;
            float radial = 0.0f;
            for (int i_2 = n - 1; i_2 >= 0; --i_2)
                radial = radial * r2_2 + lens.k[i_2];
            at.x = to.x * radial + 2.0f * lens.p[0] * to.x * to.y;
            moved_result2 = true;
        }
        if (!moved_result2)
            at.x *= 0.5f;
        trace[i] = to.x * to.y;
        float2 turned;
        turned.x = to.x + to.y;
        float tape_turned_x = turned.x;
        turned.y = to.x - to.y;
        float tape_turned_y = turned.y;
        trace[i] = turned.x * turned.y;
        float turned_x_was = turned.x - turned.y;
        turned = make_float2(turned.x + turned.y, turned_x_was);
        float horner_value = 0.0f;
        float dhorner_value_dat_x = 0.0f;
        for (int i_2 = 1; i_2 >= 0; --i_2) {
            dhorner_value_dat_x = at.x * dhorner_value_dat_x + horner_value;
            horner_value = horner_value * at.x + lens.k[1 + i_2];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 63:  y[i] = turned.x * turned.y + horner(lens.k + 1, 2, at.x) * (inside ? trace[i] :
        //      1.0f)
        float g = adj_y[i];
        float2 adj_turned = make_float2(turned.y * g, turned.x * g);
        float adj_horner_value = (inside ? trace[i] : 1.0f) * g;
        if (inside)
            adj_trace[i] += horner_value * g;

        // 16:  for (int i = n - 1; i >= 0; --i)
        // its tangents, carried along, are what it owes
        float2 adj_at;
        adj_at.x = dhorner_value_dat_x * adj_horner_value;
        for (int i_2 = 0; i_2 <= 1; ++i_2) {
            // 17:  sum = sum * t + c[i]
            adj_lens.k[1 + i_2] += adj_horner_value;
            adj_horner_value *= at.x;
        }

        // 62:  turned = kept(turned, trace, i)
        float adj_turned_x_was = adj_turned.y;
        adj_turned.y = adj_turned.x;

        // 47:  at.x - at.y
        adj_turned.x += adj_turned_x_was;
        adj_turned.y -= adj_turned_x_was;

        // 46:  trace[place] = at.x * at.y
        float g_2 = adj_trace[i];
        adj_turned.x += tape_turned_y * g_2;
        adj_turned.y += tape_turned_x * g_2;
        adj_trace[i] = 0.0f;

        // 61:  float2 turned = kept(to, trace, i)
        float2 adj_to = make_float2(adj_turned.y + adj_turned.x, adj_turned.x - adj_turned.y);

        // 46:  trace[place] = at.x * at.y
        float g_3 = adj_trace[i];
        adj_to.x += to.y * g_3;
        adj_to.y += to.x * g_3;
        adj_trace[i] = 0.0f;
        if (!moved_result2) {
            // 60:  at.x *= 0.5f
            adj_at.x *= 0.5f;
        }
        float adj_r2_2 = 0.0f;
        Lens adj_lens_2 = {};
        adj_at.y = 0.0f;
        if (!(r2_2 > 4.0f)) {
            int n = lens.degree;
            float radial = 0.0f;
            float dradial_dr2 = 0.0f;
            for (int i_2 = n - 1; i_2 >= 0; --i_2) {
                dradial_dr2 = r2_2 * dradial_dr2 + radial;
                radial = radial * r2_2 + lens.k[i_2];
            }

            // 40:  to.y = at.y * radial + lens.p[1] * (r2 + 2.0f * at.y * at.y)
            adj_at.y = 0.0f;

            // 39:  to.x = at.x * radial + 2.0f * lens.p[0] * at.x * at.y
            adj_to.x += radial * adj_at.x;
            float adj_radial = to.x * adj_at.x;
            float g = to.y * adj_at.x;
            adj_to.x += 2.0f * lens.p[0] * g;
            adj_lens_2.p[0] += 2.0f * to.x * g;
            adj_to.y += 2.0f * lens.p[0] * to.x * adj_at.x;
            adj_at.x = 0.0f;

            // 16:  for (int i = n - 1; i >= 0; --i)
            // its tangents, carried along, are what it owes
            adj_r2_2 = dradial_dr2 * adj_radial;
            for (int i_2 = 0; i_2 < n; ++i_2) {
                // 17:  sum = sum * t + c[i]
                adj_lens.k[i_2] += adj_radial;
                adj_radial *= r2_2;
            }
        }

        // 35:  float r2 = at.x * at.x + at.y * at.y
        adj_to.x += 2.0f * to.x * adj_r2_2;
        adj_to.y += 2.0f * to.y * adj_r2_2;
        float adj_r2 = 0.0f;
        if (!(r2 > 4.0f)) {
            int n = lens.degree;
            float radial = 0.0f;
            float dradial_dr2 = 0.0f;
            for (int i_2 = n - 1; i_2 >= 0; --i_2) {
                dradial_dr2 = r2 * dradial_dr2 + radial;
                radial = radial * r2 + lens.k[i_2];
            }

            // 40:  to.y = at.y * radial + lens.p[1] * (r2 + 2.0f * at.y * at.y)
            adj_at.y += radial * adj_to.y;
            float adj_radial = at.y * adj_to.y;
            adj_lens_2.p[1] += (r2 + 2.0f * at.y * at.y) * adj_to.y;
            float g = lens.p[1] * adj_to.y;
            adj_r2 = g;
            adj_at.y += 4.0f * at.y * g;
            adj_to.y = 0.0f;

            // 39:  to.x = at.x * radial + 2.0f * lens.p[0] * at.x * at.y
            adj_at.x += radial * adj_to.x;
            adj_radial += tape_at_x * adj_to.x;
            float g_2 = at.y * adj_to.x;
            adj_at.x += 2.0f * lens.p[0] * g_2;
            adj_lens_2.p[0] += 2.0f * tape_at_x * g_2;
            adj_at.y += 2.0f * lens.p[0] * tape_at_x * adj_to.x;
            adj_to.x = 0.0f;

            // 16:  for (int i = n - 1; i >= 0; --i)
            // its tangents, carried along, are what it owes
            adj_r2 += dradial_dr2 * adj_radial;
            for (int i_2 = 0; i_2 < n; ++i_2) {
                // 17:  sum = sum * t + c[i]
                adj_lens.k[i_2] += adj_radial;
                adj_radial *= r2;
            }
        }
        adj_at.x += 2.0f * tape_at_x * adj_r2;
        adj_at.y += 2.0f * at.y * adj_r2;

        // 57:  float2 to = at
        adj_at.x += adj_to.x;
        adj_at.y += adj_to.y;

        // 56:  float2 at = make_float2(x[2 * i], x[2 * i + 1])
        adj_x[2 * i + 1] += adj_at.y;
        adj_x[2 * i] += adj_at.x;

        // 27:  lens.p[1] = w[RADIAL + 1]
        adj_w_sum = adj_lens_2.p[1];
        // 26:  lens.p[0] = w[RADIAL]
        adj_w_3 = adj_lens_2.p[0];
    }
    for (int i_2 = RADIAL - 1; i_2 >= 0; --i_2) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 25:  lens.k[i] = w[i]
            adj_w_sum = adj_lens.k[i_2];
        }
        block_add(&adj_w[i_2], adj_w_sum);
    }
    block_add(&adj_w[RADIAL + 1], adj_w_sum);
    block_add(&adj_w[RADIAL], adj_w_3);
}
