// Types, constants and enumerations in classes, a friend and a static function.
struct Config {
    using real = float;
    static constexpr int width = 2;
};
struct Cell {
    typedef float scalar;
    enum Kind { solid, fluid = 5 };
    static constexpr int n = 4;
    scalar v[n];
    scalar w;
    int tag;
    friend __device__ float total(const Cell &c)
    {
        float s = 0;
        for (int k = 0; k < n; ++k)
            s += c.v[k];
        return c.tag == solid ? s * c.w : s * int(fluid);
    }
    __device__ static float half_of(float x) { return 0.5f * x; }
};

extern "C" __global__ void totals(const Cell *cells, Config::real *y, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = total(cells[i]) * Config::width + Cell::half_of(cells[i].w) * int(Cell::fluid);
}
