// library_types_adj: adjoint of library_types (library_types.cu:21).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform library_types.cu --of y --wrt atoms,x
//
// Call with atoms and x as they were before library_types. Seed adj_y with dJ/dy: it is
// left alone, because library_types stores each element of y at most once. dJ/datoms is
// added to adj_atoms; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s, r, squared_value   recomputed   from values at hand, in the reversed iteration
//   x[..], atoms[..].x,   reloaded     nothing stores to it
//   atoms[..].kind
//
// How adjoints are added up:
//   adj_atoms[..].x   +=, one owner   each thread has elements of its own
//   adj_x[..]         +=, one owner   each thread has elements of its own
//   adj_atoms[..].y   +=, one owner   each thread has elements of its own
//
// Of the template library_types this is the instance with T = float, WIDE = true.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Atom {
    float x, y;
    int kind;
};

extern "C" __global__ void library_types_adj(const Atom *atoms, Atom *adj_atoms,
                                             const float *x, float *adj_x,
                                             float *y, const float *adj_y, const long n)
{
    unsigned int weight = 3u;
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        double s = atoms[i].x * x[i];
        double t = s * s + atoms[i].y;
        float r = t;

        // 30:  y[i] = squared(r) * weight + atoms[i].kind * x[i]
        float g = adj_y[i];
        float adj_squared_value = weight * g;
        adj_x[i] += atoms[i].kind * g;

        // 16:  w *= v
        float adj_r = r * adj_squared_value;
        adj_squared_value *= r;

        // 15:  std::decay<decltype(v)>::type w = v
        adj_r += adj_squared_value;
        // 29:  std::conditional<(sizeof(s) > 4), T, int>::type r = t
        double adj_t = adj_r;

        // 28:  decltype(s) t = s * s + atoms[i].y
        double adj_s = 2.0 * s * adj_t;
        adj_atoms[i].y += adj_t;

        // 27:  Sum s = atoms[i].x * x[i]
        adj_atoms[i].x += x[i] * adj_s;
        adj_x[i] += atoms[i].x * adj_s;
    }
}
