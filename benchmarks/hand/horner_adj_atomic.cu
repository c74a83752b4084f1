// Adjoint of horner, without the block's sums.  of y, wrt x, c.
//   p      not kept: its derivative is carried forward, and adj_c[k] needs t^k, not p
//   adj_x  one thread per element: +=
//   adj_c  TERMS addresses for all threads: one atomic per term and thread
#define BLOCK 256
#define TERMS 8

extern "C" __global__ void horner_adj(int n, const float *__restrict__ x, float *__restrict__ adj_x,
                                      const float *__restrict__ c, float *__restrict__ adj_c,
                                      float *__restrict__ y, const float *__restrict__ adj_y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float t = x[i], g = adj_y[i];
    float dp = c[TERMS - 1], p = dp * t + c[TERMS - 2];
    for (int k = TERMS - 3; k >= 0; --k) {
        // p = p * t + c[k]
        dp = dp * t + p;
        p = p * t + c[k];
    }
    adj_x[i] += dp * g;
    for (int k = 0; k < TERMS; ++k) {
        atomicAdd(&adj_c[k], g);
        g *= t;
    }
}
