// iterate_adj: adjoint of iterate (complex_product.cu:31).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform complex_product.cu --of z --wrt x,y
//
// Call with x and y as they were before iterate. Seed adj_z with dJ/dz: it is left
// alone, because iterate stores each element of z at most once. dJ/dx is added to
// adj_x; dJ/dy is added to adj_y. z is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v.re (line 37)            tape_v_re[3], registers   line 38 or 39 or 41 changes it
//                                                       in each iteration
//   v.im (line 37)            tape_v_im[3], registers   line 38 or 40 or 41 changes it
//                                                       in each iteration
//   v.re (line 39),           recomputed                from values at hand, in the
//                                                       reversed iteration
//   v.im (line 40), size, s
//
// How adjoints are added up:
//   adj_x[..].re   +=, one owner   one thread per element
//   adj_x[..].im   +=, one owner   one thread per element
//   adj_y[..].re   +=, one owner   one thread per element
//   adj_y[..].im   +=, one owner   one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

typedef struct {
    float re;
    float im;
} Complex;

__global__ void iterate_adj(const Complex *x, Complex *adj_x,
                            const Complex *y, Complex *adj_y,
                            Complex *z, const Complex *adj_z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    Complex v = x[i];
    float tape_v_re[3];
    float tape_v_im[3];
    for (int k = 0; k < 3; ++k) {
        tape_v_re[k] = v.re;
        tape_v_im[k] = v.im;
        Complex c;
        c.re = v.re * v.re - v.im * v.im;
        c.im = v.re * v.im + v.im * v.re;
        v = c;
        v.re += y[i].re;
        v.im += y[i].im;
        Complex clamped_result;
        float size = v.re * v.re + v.im * v.im;
        if (size <= 2.0f) {
            clamped_result = v;
        } else {
            float s = sqrtf(2.0f / size);
            Complex c = {s * v.re, s * v.im};
            clamped_result = c;
        }
        v = clamped_result;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 43:  z[i] = v
    Complex adj_v = adj_z[i];
    float adj_y_im_sum = 0.0f;
    float adj_y_re_sum = 0.0f;
    for (int k = 2; k >= 0; --k) {
        float v_re = tape_v_re[k];
        float v_im = tape_v_im[k];
        float c_re;
        float c_im;
        c_re = v_re * v_re - v_im * v_im;
        c_im = v_re * v_im + v_im * v_re;
        float v_re_2 = c_re + y[i].re;
        float v_im_2 = c_im + y[i].im;
        float size = v_re_2 * v_re_2 + v_im_2 * v_im_2;

        // 41:  v = clamped(v, 2.0f)
        Complex adj_clamped_result;
        adj_clamped_result.im = adj_v.im;
        adj_v.im = 0.0f;
        adj_clamped_result.re = adj_v.re;
        adj_v.re = 0.0f;
        float adj_size = 0.0f;
        if (size <= 2.0f) {
            // 25:  return a
            adj_v.re += adj_clamped_result.re;
            adj_v.im += adj_clamped_result.im;
        } else {
            float s = sqrtf(2.0f / size);

            // 27:  Complex c = {s * a.re, s * a.im}
            float adj_s = v_im_2 * adj_clamped_result.im + v_re_2 * adj_clamped_result.re;
            adj_v.re += s * adj_clamped_result.re;
            adj_v.im += s * adj_clamped_result.im;

            // 26:  float s = sqrtf(most / size)
            if (adj_s != 0.0f) {
                float r = 2.0f / size;
                adj_size = -(0.5f * r * r * adj_s / s / 2.0f);
            }
        }

        // 23:  float size = abs2(a)
        adj_v.re += 2.0f * v_re_2 * adj_size;
        adj_v.im += 2.0f * v_im_2 * adj_size;

        // 40:  v.im += y[i].im
        adj_y_im_sum += adj_v.im;
        // 39:  v.re += y[i].re
        adj_y_re_sum += adj_v.re;
        // 38:  v = mul(v, v)
        Complex adj_c = adj_v;

        // 12:  c.im = a.re * b.im + a.im * b.re
        adj_v.re = v_im * adj_c.im;
        adj_v.im = v_re * adj_c.im;
        adj_v.re += v_im * adj_c.im;
        adj_v.im += v_re * adj_c.im;

        // 11:  c.re = a.re * b.re - a.im * b.im
        adj_v.re += 2.0f * v_re * adj_c.re;
        adj_v.im -= 2.0f * v_im * adj_c.re;
    }
    // what the iterations owe, added once
    if (adj_y_im_sum != 0.0f)
        adj_y[i].im += adj_y_im_sum;
    if (adj_y_re_sum != 0.0f)
        adj_y[i].re += adj_y_re_sum;

    // 36:  Complex v = x[i]
    adj_x[i].re += adj_v.re;
    adj_x[i].im += adj_v.im;
}
