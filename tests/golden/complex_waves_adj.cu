// complex_waves_adj: adjoint of complex_waves (complex_waves.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform complex_waves.cu --of z,power --wrt w,at,strength,x
//
// Call with w, at, strength and x as they were before complex_waves. Seed adj_z with
// dJ/dz: it is left alone, because complex_waves stores each element of z at most once.
// Seed adj_power with dJ/dpower: it is left alone, because complex_waves stores each
// element of power at most once. dJ/dw is added to adj_w; dJ/dat is added to adj_at;
// dJ/dstrength is added to adj_strength; dJ/dx is added to adj_x. z and power are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum.re (line 20)            tape_sum_re, a register     line 26 overwrites it
//   sum.im (line 20)            tape_sum_im, a register     line 26 overwrites it
//   d.re, d.im, s (line 22),    recomputed                  from values at hand, in the
//                                                           reversed iteration
//   r (line 22), phase.re,
//   phase.im, m, s (line 10),
//   at2
//   w[..].re, w[..].im          reloaded                    nothing stores to it
//   far, theta,                 reloaded                    still in its variable
//   b.re (line 26),
//   b.im (line 26),
//   b.re (line 27),
//   b.im (line 27), d,
//   r (line 27),
//   sum.im (line 27),
//   sum.re (line 27)
//   sum.im (line 26)            tape_sum_im_2, a register   line 27 overwrites it
//   sum.re (line 26)            tape_sum_re_2, a register   line 27 overwrites it
//
// How adjoints are added up:
//   adj_at[..].re      reduced per block   every thread reads the same a.re
//   adj_x[..]          +=, one owner       one thread per element
//   adj_at[..].im      reduced per block   every thread reads the same a.im
//   adj_strength[..]   reduced per block   every thread reads the same strength[k]
//   adj_w[..].re       reduced per block   every thread reads b.re
//   adj_w[..].re       atomicAdd           other threads add to w[at2].re too
//   adj_w[..].im       reduced per block   every thread reads b.im
//   adj_w[..].im       atomicAdd           other threads add to w[at2].im too
//
// At kinks and singular points:
//   hypot: where its partial is infinite a zero adjoint contributes zero
//   atan2: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct __align__(8) value {
    float re;
    float im;
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

static __device__ float exp_of(float v)
{
    return exp(v);
}

static __device__ float exp_of_adj(float v, float adj_exp_of)
{
    // complex.h:3:  return exp(v)
    return exp(v) * adj_exp_of;
}

extern "C" __global__ void complex_waves_adj(const value *w, value *adj_w,
                                             const value *at, value *adj_at,
                                             const float *strength, float *adj_strength,
                                             const float *x, float *adj_x,
                                             value *z, const value *adj_z,
                                             float *power, const float *adj_power, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_w_im_0 = 0.0f;
    float adj_w_re_0 = 0.0f;
    value adj_sum;
    float adj_x_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        value sum = {0.5f, 0.0f};
        for (int k = 0; k < 3; k++) {
            value d = {at[k].re - x[i], at[k].im};
            float s = strength[k];
            float r = hypot(d.re, d.im);
            const value phase = {(-0.2f * w[k].re - 1.5f * w[k].im) * r,
                                 (-0.2f * w[k].im + 1.5f * w[k].re) * r};
            float m = exp_of(phase.re);
            float s_2 = 1.0f + r;
            sum.re += s * ((m * cos(phase.im) + 0.1f * phase.re) / s_2);
            sum.im += s * ((m * sin(phase.im) + 0.1f * phase.im) / s_2);
            int at2 = i % 3;
            value b = {d.re * w[at2].re - -d.im * w[at2].im, d.re * w[at2].im + -d.im * w[at2].re};
            sum.re -= b.re;
            sum.im -= b.im;
        }
        float tape_sum_re = sum.re;
        float tape_sum_im = sum.im;
        float far = 1.5f * x[i];
        float theta = x[i];
        value b = {far * cos(theta), far * sin(theta)};
        float r = sum.re * b.re - sum.im * b.im;
        sum.im = sum.re * b.im + sum.im * b.re;
        float tape_sum_im_2 = sum.im;
        sum.re = r;
        float tape_sum_re_2 = sum.re;
        value b_2 = {2.0f, x[i]};
        float d = b_2.re * b_2.re + b_2.im * b_2.im;
        float r_2 = (sum.re * b_2.re + sum.im * b_2.im) / d;
        sum.im = (sum.im * b_2.re - sum.re * b_2.im) / d;
        sum.re = r_2;

        // ---- reverse sweep ------------------------------------------------------

        // 29:  power[i] = thrust::norm(sum) * (sum * w[0]).imag() + thrust::arg(sum)
        float g = adj_power[i];
        float g_2 = (sum.re * w->im + sum.im * w->re) * g;
        adj_sum.re = 2.0f * sum.re * g_2;
        adj_sum.im = 2.0f * sum.im * g_2;
        float g_3 = (sum.re * sum.re + sum.im * sum.im) * g;
        adj_sum.re += w->im * g_3;
        adj_w_im_0 = sum.re * g_3;
        adj_sum.im += w->re * g_3;
        adj_w_re_0 = sum.im * g_3;
        if (g != 0.0f) {
            adj_sum.re -= sum.im * g / (sum.re * sum.re + sum.im * sum.im);
            adj_sum.im += sum.re * g / (sum.re * sum.re + sum.im * sum.im);
        }

        // 28:  z[i] = -sum + sum / 4.0f
        float g_4 = adj_z[i].im;
        adj_sum.im += g_4 / 4.0f - g_4;
        float g_5 = adj_z[i].re;
        adj_sum.re += g_5 / 4.0f - g_5;

        // 27:  sum /= value(2.0f, x[i])
        float adj_r_2 = adj_sum.re;
        float g_6 = adj_sum.im / d;
        adj_sum.re = -(b_2.im * g_6);
        value adj_b_2;
        adj_b_2.im = -(tape_sum_re_2 * g_6);
        float adj_d = -(sum.im * g_6);
        adj_sum.im = b_2.re * g_6;
        float g_7 = adj_r_2 / d;
        adj_sum.re += b_2.re * g_7;
        adj_sum.im += b_2.im * g_7;
        adj_b_2.im += tape_sum_im_2 * g_7;
        adj_d -= r_2 * g_7;
        adj_b_2.im += 2.0f * b_2.im * adj_d;

        // 27:  value(2.0f, x[i])
        adj_x[i] += adj_b_2.im;

        // 26:  sum *= thrust::polar(far, x[i])
        float adj_r = adj_sum.re;
        adj_sum.re = b.im * adj_sum.im;
        value adj_b = {tape_sum_im * adj_sum.im, tape_sum_re * adj_sum.im};
        adj_sum.im *= b.re;
        adj_sum.re += b.re * adj_r;
        adj_b.re += tape_sum_re * adj_r;
        adj_sum.im -= b.im * adj_r;
        adj_b.im -= tape_sum_im * adj_r;

        // 26:  x[i]
        adj_x[i] += (cos(theta) * adj_b.im - sin(theta) * adj_b.re) * far;

        // 25:  float far = 1.5f * x[i]
        adj_x[i] += 1.5f * (sin(theta) * adj_b.im + cos(theta) * adj_b.re);
        adj_x_sum = 0.0f;
    }
    for (int k = 0; k < 3; ++k) {
        float adj_w_im_sum = 0.0f;
        float adj_w_re_sum = 0.0f;
        float adj_strength_sum = 0.0f;
        value adj_d = {};
        float adj_at_re_sum = 0.0f;
        if (i < n) {
            float d_re = at[k].re - x[i];
            float d_im = at[k].im;
            float s = strength[k];
            float r = hypot(d_re, d_im);
            const float phase_re = (-0.2f * w[k].re - 1.5f * w[k].im) * r;
            const float phase_im = (-0.2f * w[k].im + 1.5f * w[k].re) * r;
            float m = exp_of(phase_re);
            float s_2 = 1.0f + r;
            int at2 = i % 3;

            // 23:  sum -= thrust::conj(d) * w[i % 3]
            value adj_b = {-adj_sum.re, -adj_sum.im};

            // 23:  thrust::conj(d) * w[i % 3]
            value adj_d_2;
            adj_d_2.re = w[at2].im * adj_b.im + w[at2].re * adj_b.re;
            atomicAdd(&adj_w[at2].im, d_re * adj_b.im + d_im * adj_b.re);
            adj_d.im = w[at2].im * adj_b.re - w[at2].re * adj_b.im;
            atomicAdd(&adj_w[at2].re, d_re * adj_b.re - d_im * adj_b.im);

            // 22:  sum += strength[k] * wave(w[k], thrust::abs(d))
            float g = s * adj_sum.im / s_2;
            float sine;
            float cosine;
            sincosf(phase_im, &sine, &cosine);
            float adj_m = sine * g;
            value adj_phase;
            adj_phase.im = m * cosine * g + 0.1f * g;
            float adj_s_2 = -((m * sine + 0.1f * phase_im) / s_2 * g);
            float g_2 = s * adj_sum.re / s_2;
            adj_m += cosine * g_2;
            adj_phase.im -= m * sine * g_2;
            adj_phase.re = 0.1f * g_2;
            adj_s_2 -= (m * cosine + 0.1f * phase_re) / s_2 * g_2;

            // 10:  1.0f + r
            float adj_r = adj_s_2;
            // complex.h:116:  T m = thrust_reals::exp_of(a.re)
            adj_phase.re += exp_of_adj(phase_re, adj_m);

            // 9:  const value phase = value(-0.2f, 1.5f) * k * r
            float g_3 = r * adj_phase.im;
            adj_w_im_sum = -(0.2f * g_3);
            adj_w_re_sum = 1.5f * g_3;
            adj_r += (-0.2f * w[k].im + 1.5f * w[k].re) * adj_phase.im
                     + (-0.2f * w[k].re - 1.5f * w[k].im) * adj_phase.re;
            float g_4 = r * adj_phase.re;
            adj_w_re_sum -= 0.2f * g_4;
            adj_w_im_sum -= 1.5f * g_4;

            // 22:  thrust::abs(d)
            if (adj_r != 0.0f) {
                adj_d_2.re += d_re * adj_r / r;
                adj_d.im += d_im * adj_r / r;
            }

            // 22:  strength[k]
            adj_strength_sum = (m * sine + 0.1f * phase_im) / s_2 * adj_sum.im
                               + (m * cosine + 0.1f * phase_re) / s_2 * adj_sum.re;

            // 21:  value d = at[k] - x[i]
            adj_at_re_sum = adj_d_2.re;
            adj_x_sum -= adj_d_2.re;
        }
        block_add(&adj_w[k].re, adj_w_re_sum);
        block_add(&adj_w[k].im, adj_w_im_sum);
        block_add(&adj_strength[k], adj_strength_sum);
        block_add(&adj_at[k].re, adj_at_re_sum);
        block_add(&adj_at[k].im, adj_d.im);
    }
    if (i < n) {
        // what the iterations owe, added once
        if (adj_x_sum != 0.0f)
            adj_x[i] += adj_x_sum;
    }
    block_add(&adj_w->re, adj_w_re_0);
    block_add(&adj_w->im, adj_w_im_0);
}
