// A struct whose extent is a constant of the file, and a macro whose value is statements.

#define LESSER(p, q) ({ __typeof__(p) _p = (p); __typeof__(q) _q = (q); _p < _q ? _p : _q; })

constexpr int TERMS = 4;

struct Series {
    static_assert(TERMS > 1, "a series of one term is a constant");
    float c[TERMS];

    __device__ float at(float x) const
    {
        float r = c[TERMS - 1];
        for (int k = TERMS - 2; k >= 0; --k)
            r = r * x + c[k];
        return r;
    }
};

__global__ void terms_of_the_file(const float *c, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Series s;
    for (int k = 0; k < LESSER(TERMS, n); ++k)
        s.c[k] = c[TERMS * i + k];
    y[i] = s.at(LESSER(x[i], 0.75f));
}
