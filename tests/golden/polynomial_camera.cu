// s2sad: --of y --wrt x,w
// Structs of arrays whose extents are constants of the file, filled from memory and used as arrays.
using Count = int;
constexpr Count RADIAL = 3;
constexpr Count TANGENTIAL = RADIAL - 1;

struct Lens {
    float k[RADIAL];
    float p[TANGENTIAL];
    unsigned degree;
};

__device__ float horner(const float *c, int n, float t)
{
    float sum = 0.0f;
    for (int i = n - 1; i >= 0; --i)
        sum = sum * t + c[i];
    return sum;
}

__device__ Lens loaded(const float *w)
{
    Lens lens;
    for (int i = 0; i < RADIAL; ++i)
        lens.k[i] = w[i];
    lens.p[0] = w[RADIAL];
    lens.p[1] = w[RADIAL + 1];
    lens.degree = RADIAL;
    return lens;
}

// Says whether the point is in the picture, and where; what is outside isn't moved.
__device__ bool moved(const Lens &lens, float2 at, float2 &to)
{
    float r2 = at.x * at.x + at.y * at.y;
    if (r2 > 4.0f)
        return false;
    float radial = horner(lens.k, lens.degree, r2);
    to.x = at.x * radial + 2.0f * lens.p[0] * at.x * at.y;
    to.y = at.y * radial + lens.p[1] * (r2 + 2.0f * at.y * at.y);
    return true;
}

__device__ float2 kept(float2 at, float *trace, long place)
{
    trace[place] = at.x * at.y;
    return make_float2(at.x + at.y, at.x - at.y);
}

__global__ void distort(const float *x, const float *w, float *trace, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Lens lens = loaded(w);
    float2 at = make_float2(x[2 * i], x[2 * i + 1]);
    float2 to = at;
    bool inside = moved(lens, at, to);
    if (!moved(lens, to, at))
        at.x *= 0.5f;
    float2 turned = kept(to, trace, i);
    turned = kept(turned, trace, i);
    y[i] = turned.x * turned.y + horner(lens.k + 1, 2, at.x) * (inside ? trace[i] : 1.0f);
}
