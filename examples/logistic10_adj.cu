// logistic10_adj: adjoint of logistic10 (logistic10.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform logistic10.cu --of last --wrt first,r
//
// Call with first as it was before logistic10. Seed adj_last with dJ/dlast: it is left
// alone, because logistic10 stores each element of last at most once. dJ/dfirst is
// added to adj_first; dJ/dr is added to adj_r. last is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x   tape_x[10], registers   line 11 changes it in each iteration
//
// How adjoints are added up:
//   adj_first[..]   +=, one owner   one thread per element
//   adj_r           atomicAdd       every thread has its share in it, added once per
//                                   thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void logistic10_adj(const float *first, float *adj_first,
                                          float *last, const float *adj_last,
                                          float r, float *adj_r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_r_sum = 0.0f;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float x = first[i];
    float tape_x[10];
    for (int step = 0; step < 10; step++) {
        tape_x[step] = x;
        x = r * x * (1.0f - x);
    }

    // ---- reverse sweep ------------------------------------------------------

    // 12:  last[i] = x
    float adj_x = adj_last[i];
    for (int step = 9; step >= 0; --step) {
        float x = tape_x[step];

        // 11:  x = r * x * (1.0f - x)
        float g = (1.0f - x) * adj_x;
        adj_r_sum += x * g;
        adj_x = r * g - r * x * adj_x;
    }

    // 9:  float x = first[i]
    adj_first[i] += adj_x;
    atomicAdd(adj_r, adj_r_sum);
}
