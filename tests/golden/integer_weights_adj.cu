// integer_weights_adj: adjoint of integer_weights (integer_weights.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform integer_weights.cu --of y --wrt x
//
// Call with votes as it was before integer_weights. Seed adj_y with dJ/dy: it is left
// alone, because integer_weights stores each element of y at most once. dJ/dx is added
// to adj_x. x and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   votes[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[(i + k) % n]
//                           and x[i]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void integer_weights_adj(const float *x, float *adj_x, const int *votes,
                                               float *y, const float *adj_y, int n,
                                               unsigned int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 11:  y[i] = votes[i] * sum / terms
    float adj_sum = votes[i] * adj_y[i] / terms;
    float adj_x_sum = 0.0f;
    for (unsigned int k = 1; k <= terms; ++k) {
        // 10:  sum += x[(i + k) % n] * k / (float)(terms + votes[i]) + x[i] * (k / 2)
        atomicAdd(&adj_x[(i + k) % n], k * adj_sum / (float)(terms + votes[i]));
        adj_x_sum += k / 2 * adj_sum;
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        atomicAdd(&adj_x[i], adj_x_sum);
}
