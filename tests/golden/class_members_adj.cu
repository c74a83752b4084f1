// totals_adj: adjoint of totals (class_members.cu:23).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform class_members.cu --of y --wrt cells
//
// Call with cells as it was before totals. Seed adj_y with dJ/dy: it is left alone,
// because totals stores each element of y at most once. dJ/dcells is added to
// adj_cells. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                reloaded   still in its variable
//   cells[..].tag,   reloaded   nothing stores to it
//   cells[..].w
//
// How adjoints are added up:
//   adj_cells[..].v   +=, one owner   each thread has elements of its own
//   adj_cells[..].w   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Cell {
    float v[4];
    float w;
    int tag;
};

extern "C" __global__ void totals_adj(const Cell *cells, Cell *adj_cells,
                                      float *y, const float *adj_y, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        // ---- forward sweep ------------------------------------------------------

        float s = 0;
        for (int k = 0; k < 4; ++k)
            s += cells[i].v[k];

        // ---- reverse sweep ------------------------------------------------------

        float adj_s;

        // 27:  y[i] = total(cells[i]) * Config::width + Cell::half_of(cells[i].w) *
        //      int(Cell::fluid)
        float g = adj_y[i];
        float g_2 = 2 * g;
        if (cells[i].tag == 0) {
            adj_s = cells[i].w * g_2;
            adj_cells[i].w += s * g_2;
        } else {
            adj_s = (int)5 * g_2;
        }
        adj_cells[i].w += 0.5f * (int)5 * g;
        for (int k = 0; k < 4; ++k) {
            // 17:  s += c.v[k]
            adj_cells[i].v[k] += adj_s;
        }
    }
}
