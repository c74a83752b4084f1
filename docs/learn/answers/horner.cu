// Exercise horner: a polynomial for each thread, by Horner's rule.
// Coefficient k of thread i is c[k * n + i]: no two threads share one.
// When you are done: s2sad lesson check horner.cu
#define TERMS 5

extern "C" __global__ void horner(const float *x, const float *c, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = 0.0f;
        for (int k = 0; k < TERMS; ++k)
            p = p * x[i] + c[k * n + i];
        y[i] = p;
    }
}

extern "C" __global__ void horner_adj(const float *x, float *adj_x, const float *c, float *adj_c,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float p = 0.0f;
        float tape_p[TERMS];
        for (int k = 0; k < TERMS; ++k) {
            tape_p[k] = p;
            p = p * x[i] + c[k * n + i];
        }

        float adj_p = adj_y[i];
        // GAP 1: the loop over k of the reverse sweep; p is read as the factor of x[i]
        for (int k = TERMS - 1; k >= 0; --k) {
            adj_c[k * n + i] += adj_p;
            adj_x[i] += tape_p[k] * adj_p;
            adj_p = x[i] * adj_p;
        }
        // END
    }
}
