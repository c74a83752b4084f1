// output_reloaded_adj: adjoint of output_reloaded (output_reloaded.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform output_reloaded.cu --of e,s --wrt x
//
// Call with x and e as they were before output_reloaded. Seed adj_s with dJ/ds: it is
// left alone, because output_reloaded stores each element of s at most once. adj_e
// comes in as dJ/de after output_reloaded and goes out as dJ/de before it, element by
// element. dJ/dx is added to adj_x. s is neither read nor written. The content of e
// afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   e[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_e[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void output_reloaded_adj(const float *x, float *adj_x,
                                               float *e, float *adj_e,
                                               float *s, const float *adj_s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        e[i] = expf(x[i]);

        // 8:  s[i] = e[i] / (1.0f + e[i])
        float g = adj_s[i] / (1.0f + e[i]);
        adj_e[i] += g - e[i] / (1.0f + e[i]) * g;

        // 7:  e[i] = expf(x[i])
        adj_x[i] += expf(x[i]) * adj_e[i];
        adj_e[i] = 0.0f;
    }
}
