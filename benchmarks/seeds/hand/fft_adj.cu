// Adjoint of fft: the transform is linear and its matrix symmetric, so that adj_in gets the same transform of
// adj_out with conjugate roots of unity. A thread computes one root; the stages share them. The first stage, whose
// root is 1, reads adj_out in bit-reversed order, and the last, with the thread's own root, writes adj_in: only the
// stages between go through shared memory.
#define LOG2 6  // at least 2
#define LENGTH (1 << LOG2)

__device__ double2 product(double2 a, double2 b)
{
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

extern "C" __global__ void fft_adj(const double2 *__restrict__ in, double2 *adj_in,
                                   double2 *__restrict__ out, const double2 *adj_out)
{
    __shared__ double2 s[LENGTH], roots[LENGTH / 2];
    const int t = threadIdx.x;
    const double2 *from = adj_out + blockIdx.x * LENGTH;
    double2 *to = adj_in + blockIdx.x * LENGTH;

    double2 root;
    sincospi((double)t / (LENGTH / 2), &root.y, &root.x);
    roots[t] = root;

    const int reversed = __brev(t) >> (33 - LOG2);
    const double2 even = from[reversed], odd = from[reversed + LENGTH / 2];
    s[2 * t] = make_double2(even.x + odd.x, even.y + odd.y);
    s[2 * t + 1] = make_double2(even.x - odd.x, even.y - odd.y);
    __syncthreads();

    for (int half = 2; half < LENGTH / 2; half *= 2) {
        const int within = t & (half - 1);
        const int upper = 2 * t - within, lower = upper + half;
        const double2 a = s[upper], b = product(s[lower], roots[within * (LENGTH / 2 / half)]);
        s[upper] = make_double2(a.x + b.x, a.y + b.y);
        s[lower] = make_double2(a.x - b.x, a.y - b.y);
        __syncthreads();
    }

    const double2 a = s[t], b = product(s[t + LENGTH / 2], root);
    to[t].x += a.x + b.x;
    to[t].y += a.y + b.y;
    to[t + LENGTH / 2].x += a.x - b.x;
    to[t + LENGTH / 2].y += a.y - b.y;
}
