// julia_adj: adjoint of julia (julia_class.cu:27).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform julia_class.cu --of smooth --wrt start,c
//
// Call with start as it was before julia. Seed adj_smooth with dJ/dsmooth: it is left
// alone, because julia stores each element of smooth at most once. dJ/dstart is added
// to adj_start; dJ/dc is added to adj_c. smooth is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   z.im (line 34)    tape_z_im[4], registers   line 18 or 35 or 36 changes it in each
//                                               iteration
//   z.re (line 34)    tape_z_re[4], registers   line 17 or 35 or 36 changes it in each
//                                               iteration
//   sum.re, sum.im,   reloaded                  still in its variable
//   z.re (line 34)
//   z.re (line 36),   recomputed                from values at hand, in the reversed
//                                               iteration
//   z.im (line 36)
//
// How adjoints are added up:
//   adj_start[..].re   +=, one owner       one thread per element
//   adj_start[..].im   +=, one owner       one thread per element
//   adj_c.re           reduced per block   every thread has its share in it
//   adj_c.im           reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

struct Complex {
    float re, im;
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

__global__ void julia_adj(const Complex *start, Complex *adj_start,
                          Complex c, Complex *adj_c,
                          float *smooth, const float *adj_smooth, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_c_re_sum = 0.0f;
    float adj_c_im_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        Complex z = start[i];
        Complex sum = {0.0f, 0.0f};
        float tape_z_re[4];
        float tape_z_im[4];
        for (int k = 0; k < 4; ++k) {
            tape_z_re[k] = z.re;
            tape_z_im[k] = z.im;
            float z_re_was = z.re * z.im + z.im * z.re;
            z.re = z.re * z.re - z.im * z.im;
            z.im = z_re_was;
            z.re += -c.re;
            z.im += -c.im;
            if (!(z.re * z.re + z.im * z.im < 4.0f)) {
                z.re *= 0.5f;
                z.im *= 0.5f;
            }
            sum.re += z.re;
            sum.im += z.im;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 41:  smooth[i] = logf(1.0f + sum.norm2()) + Complex(z.re).norm2()
        float g = adj_smooth[i];
        float g_2 = g / (1.0f + (sum.re * sum.re + sum.im * sum.im));
        Complex adj_sum = {2.0f * sum.re * g_2, 2.0f * sum.im * g_2};
        Complex adj_z = {2.0f * z.re * g, 0.0f};
        for (int k = 3; k >= 0; --k) {
            float z_re = tape_z_re[k];
            float z_im = tape_z_im[k];
            float z_re_2 = z_re * z_re - z_im * z_im;
            z_re_2 += -c.re;
            float z_im_2 = z_re * z_im + z_im * z_re - c.im;

            // 39:  sum += z
            adj_z.re += adj_sum.re;
            adj_z.im += adj_sum.im;
            if (!(z_re_2 * z_re_2 + z_im_2 * z_im_2 < 4.0f)) {
                // 18:  im *= s
                adj_z.im *= 0.5f;
                // 17:  re *= s
                adj_z.re *= 0.5f;
            }

            // 36:  z += -c
            adj_c_im_sum -= adj_z.im;
            adj_c_re_sum -= adj_z.re;

            // 35:  z = z * z
            float adj_z_re_was = adj_z.im;
            adj_z.im = -2.0f * z_im * adj_z.re;
            adj_z.re *= 2.0f * z_re;

            // 23:  a.re * b.im + a.im * b.re
            adj_z.re += 2.0f * z_im * adj_z_re_was;
            adj_z.im += 2.0f * z_re * adj_z_re_was;
        }

        // 32:  Complex z = start[i]
        adj_start[i].re += adj_z.re;
        adj_start[i].im += adj_z.im;
    }
    block_add(&adj_c->re, adj_c_re_sum);
    block_add(&adj_c->im, adj_c_im_sum);
}
