// s2sad: --of cells --wrt cells,slope
// Structs in structs, with arrays in them: the water of a cell flows to both sides.
#define SIDES 2
struct Flux {
    float2 momentum;
    float mass;
};
struct Cell {
    int kind;
    double height;
    struct Flux side[SIDES];
    float bed[3];
};

__global__ void flow(Cell *cells, const float *slope, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Flux total = {{0.0f, 0.0f}, 0.0f};
    for (int s = 0; s < SIDES; ++s) {
        Flux f = cells[i].side[s];
        float steep = slope[cells[i].kind] * cells[i].bed[s + 1];
        f.momentum.x += dt * steep * f.mass;
        f.momentum.y *= 1.0f - dt * steep * steep;
        f.mass = f.mass * expf(-dt * f.momentum.x);
        cells[i].side[s] = f;
        total.momentum.x += f.momentum.x;
        total.momentum.y += f.momentum.y;
        total.mass += f.mass;
    }
    cells[i].height -= dt * total.mass * total.momentum.x + cells[i].bed[0] * total.momentum.y;
}
