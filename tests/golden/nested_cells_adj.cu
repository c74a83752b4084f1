// flow_adj: adjoint of flow (nested_cells.cu:15).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform nested_cells.cu --of cells --wrt cells,slope
//
// Call with cells and slope as they were before flow. adj_cells comes in as dJ/dcells
// after flow and goes out as dJ/dcells before it, element by element. dJ/dslope is
// added to adj_slope. The content of cells afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   total.momentum.x,            reloaded                              still in its variable
//   total.mass,
//   total.momentum.y
//   cells[i].side[s] (line 22)   tape_f_momentum_x[SIDES], registers   line 27 overwrites it
//   cells[i].side[s] (line 22)   tape_f_momentum_y[SIDES], registers   line 27 overwrites it
//   f.momentum.y, f.mass,        recomputed                            from values at hand, in
//                                                                      the reversed iteration
//   steep, f.momentum.x
//   cells[i].side[s] (line 22)   tape_f_mass[SIDES], registers         line 27 overwrites it
//   cells[..].bed,               reloaded                              nothing stores to it
//   cells[..].kind,
//   slope[..]
//
// How adjoints are added up:
//   adj_cells[..].side.momentum.x   +=, one owner   each thread has elements of its own
//   adj_cells[..].side.momentum.y   +=, one owner   each thread has elements of its own
//   adj_cells[..].side.mass         +=, one owner   each thread has elements of its own
//   adj_slope[..]                   atomicAdd       cells.kind may repeat
//   adj_cells[..].bed               +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

__global__ void flow_adj(Cell *cells, Cell *adj_cells,
                         const float *slope, float *adj_slope, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    Flux total;
    total.momentum.x = 0.0f;
    total.momentum.y = 0.0f;
    total.mass = 0.0f;
    float tape_f_mass[SIDES];
    float tape_f_momentum_x[SIDES];
    float tape_f_momentum_y[SIDES];
    for (int s = 0; s < SIDES; ++s) {
        Flux f;
        f.momentum.x = cells[i].side[s].momentum.x;
        tape_f_momentum_x[s] = f.momentum.x;
        f.momentum.y = cells[i].side[s].momentum.y;
        tape_f_momentum_y[s] = f.momentum.y;
        f.mass = cells[i].side[s].mass;
        tape_f_mass[s] = f.mass;
        float steep = slope[cells[i].kind] * cells[i].bed[s + 1];
        f.momentum.x += dt * steep * f.mass;
        f.momentum.y *= 1.0f - dt * steep * steep;
        f.mass = f.mass * expf(-dt * f.momentum.x);
        cells[i].side[s].momentum = f.momentum;
        cells[i].side[s].mass = f.mass;
        total.momentum.x += f.momentum.x;
        total.momentum.y += f.momentum.y;
        total.mass += f.mass;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 32:  cells[i].height -= dt * total.mass * total.momentum.x + cells[i].bed[0] *
    //      total.momentum.y
    double g = adj_cells[i].height;
    Flux adj_total;
    adj_total.mass = -(total.momentum.x * dt * g);
    adj_total.momentum.x = -(dt * total.mass * g);
    adj_cells[i].bed[0] -= total.momentum.y * g;
    adj_total.momentum.y = -(cells[i].bed[0] * g);
    for (int s = 0; s < SIDES; ++s) {
        float f_momentum_x = tape_f_momentum_x[s];
        float f_momentum_y = tape_f_momentum_y[s];
        float f_mass = tape_f_mass[s];
        float steep = slope[cells[i].kind] * cells[i].bed[s + 1];
        f_momentum_x += dt * steep * f_mass;

        // 30:  total.mass += f.mass
        Flux adj_f;
        adj_f.mass = adj_total.mass;

        // 29:  total.momentum.y += f.momentum.y
        adj_f.momentum.y = adj_total.momentum.y;
        // 28:  total.momentum.x += f.momentum.x
        adj_f.momentum.x = adj_total.momentum.x;

        // 27:  cells[i].side[s] = f
        adj_f.momentum.x += adj_cells[i].side[s].momentum.x;
        adj_f.momentum.y += adj_cells[i].side[s].momentum.y;
        adj_f.mass += adj_cells[i].side[s].mass;

        // 26:  f.mass = f.mass * expf(-dt * f.momentum.x)
        adj_f.momentum.x -= f_mass * expf(-dt * f_momentum_x) * dt * adj_f.mass;
        adj_f.mass *= expf(-dt * f_momentum_x);

        // 25:  f.momentum.y *= 1.0f - dt * steep * steep
        float adj_steep = -2.0f * f_momentum_y * dt * steep * adj_f.momentum.y;
        adj_f.momentum.y *= 1.0f - dt * steep * steep;

        // 24:  f.momentum.x += dt * steep * f.mass
        adj_steep += f_mass * dt * adj_f.momentum.x;
        adj_f.mass += dt * steep * adj_f.momentum.x;

        // 23:  float steep = slope[cells[i].kind] * cells[i].bed[s + 1]
        atomicAdd(&adj_slope[cells[i].kind], cells[i].bed[s + 1] * adj_steep);
        adj_cells[i].bed[s + 1] += slope[cells[i].kind] * adj_steep;

        // 22:  Flux f = cells[i].side[s]
        adj_cells[i].side[s].momentum = adj_f.momentum;
        adj_cells[i].side[s].mass = adj_f.mass;
    }
}
