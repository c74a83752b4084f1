// terms_of_the_file_adj: adjoint of terms_of_the_file (terms_of_the_file.cu:20).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform terms_of_the_file.cu --of y --wrt c,x
//
// Call with c and x as they were before terms_of_the_file. Seed adj_y with dJ/dy: it is
// left alone, because terms_of_the_file stores each element of y at most once. dJ/dc is
// added to adj_c; dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x       reloaded                 still in its variable
//   x[..]   reloaded                 nothing stores to it
//   r       dr_dx, carried forward   line 15 changes it in each iteration, and inputs
//                                    are few
//
// How adjoints are added up:
//   adj_c[..]   +=, one owner   each thread has elements of its own
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

constexpr int TERMS = 4;

struct Series {
    float c[TERMS];
};

__global__ void terms_of_the_file_adj(const float *c, float *adj_c,
                                      const float *x, float *adj_x,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    Series s;
    for (int k = 0; k < (TERMS < n ? TERMS : n); ++k)
        s.c[k] = c[TERMS * i + k];
    float x_2 = x[i] < 0.75f ? x[i] : 0.75f;
    float r = s.c[TERMS - 1];
    float dr_dx = 0.0f;
    for (int k = TERMS - 2; k >= 0; --k) {
        dr_dx = x_2 * dr_dx + r;
        r = r * x_2 + s.c[k];
    }

    // ---- reverse sweep ------------------------------------------------------

    // 28:  y[i] = s.at(LESSER(x[i], 0.75f))
    float adj_r = adj_y[i];
    Series adj_s = {};

    // 14:  for (int k = TERMS - 2; k >= 0; --k)
    // its tangents, carried along, are what it owes
    float adj_x_2 = dr_dx * adj_r;
    for (int k = 0; k <= TERMS - 2; ++k) {
        // 15:  r = r * x + c[k]
        adj_s.c[k] += adj_r;
        adj_r *= x_2;
    }

    // 13:  float r = c[TERMS - 1]
    adj_s.c[TERMS - 1] += adj_r;

    // 28:  LESSER(x[i], 0.75f)
    if (x[i] < 0.75f)
        adj_x[i] += adj_x_2;
    for (int k = (TERMS < n ? TERMS : n) - 1; k >= 0; --k) {
        // 27:  s.c[k] = c[TERMS * i + k]
        adj_c[TERMS * i + k] += adj_s.c[k];
    }
}
