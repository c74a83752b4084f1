// Conversions of every kind: what is printed must be read as the same tree.
#define N 16
#define HALF 0.5f
#define PACKED (N * 2 + 1)
#define BARE N + 1  // no node of its own: spelled out where it is used
#define SCALE(v) ((v) * HALF)

extern "C" __global__ void arithmetic(const float *x, const double *xd, const int *m, float *y, double *yd,
                                      int n, unsigned int u, long long big, unsigned char small, float a, double b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float f = x[i] - (x[i + 1] - a);
    f = -(-f) + +f - -f;
    double d = f;
    d = f * b + a * a;
    f = d;
    f = (float)d * 2;
    f += i;
    f -= d;
    f *= u;
    i += f;
    d = (double)a * a;
    d = (float)b * a;
    int q = (i + n) / N;
    f = (float)(i / n) + (float)i / n + i / n * a;
    f = 2 * a + 1 / 2 + 1 / 2.0f + 0x10 + 1e-5f + .5f + 1.f;
    q = i % N + (i << 2 >> 1) + ((i & 3) << 1 | n ^ 5) + ~i;
    unsigned int w = u * i + n;
    w = w - 1;
    q = w < i ? -1 : w > 3u;
    big = big * i + small + 'a';
    small = small + 1;
    small += 2;
    small <<= 1;
    bool inside = i > 0 && i < n || !n;
    inside = q;
    inside = !q && f;
    f = inside ? a : i;
    f = inside ? 1 : 0.25f;
    d = inside ? a : b;
    q = inside + 1;
    f = SCALE(a + f) + PACKED * a;
    q = BARE * 2 + BARE;
    y[i] = f + q + w;
    yd[m[i]] = d + big;
    y[(i + 1) % n] += small;
    y[u] = a;
    ++q;
    q--;
    y[i] = q ? (q ? a : f) : q ? f : a;
}
