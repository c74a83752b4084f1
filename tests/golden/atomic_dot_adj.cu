// atomic_dot_adj: adjoint of atomic_dot (atomic_dot.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform atomic_dot.cu --of sum --wrt x,y --assume launch:1d
//
// Call with x and y as they were before atomic_dot. Seed adj_sum with dJ/dsum: it is
// left alone, because atomic_dot only adds to sum. dJ/dx is added to adj_x; dJ/dy is
// added to adj_y. sum is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   y[..], x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//   adj_y[..]   +=, one owner   each thread has elements of its own
//
// Assumed: arrays don't overlap, no index wraps, launch:1d.

extern "C" __global__ void atomic_dot_adj(const float *x, float *adj_x,
                                          const float *y, float *adj_y,
                                          float *sum, const float *adj_sum, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = nanf("");
        adj_y[0] = nanf("");
        return;
    }

    // 8:  atomicAdd(sum, part)
    float adj_part = *adj_sum;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // 7:  part += x[i] * y[i]
        adj_x[i] += y[i] * adj_part;
        adj_y[i] += x[i] * adj_part;
    }
}
