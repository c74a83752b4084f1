// diffuse_adj: adjoint of diffuse (diffuse.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform diffuse.cu --of next --wrt u,k
//
// Call with u and k as they were before diffuse. Seed adj_next with dJ/dnext: it is
// left alone, because diffuse stores each element of next at most once. dJ/du is added
// to adj_u; dJ/dk is added to adj_k. next is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   u[..], k[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_k[..]   atomicAdd   neighbouring threads share k[at], k[at - 1], k[at + 1],
//                           k[at - width] and others
//   adj_u[..]   atomicAdd   neighbouring threads share u[at - 1], u[at], u[at + 1],
//                           u[at - width] and others
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

extern "C" __global__ void diffuse_adj(const double *u, double *adj_u,
                                       const double *k, double *adj_k,
                                       double *next, const double *adj_next, double rate, int width,
                                       int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;

    // Through each side of the cell heat flows by the mean conductivity of the two cells.
    const int at = row * width + column;

    // 22:  next[at] = u[at] + rate * flow
    double g = adj_next[at];
    atomicAdd(&adj_u[at], g);
    double adj_flow = rate * g;
    if (row < height - 1) {
        // 21:  flow += 0.5 * (k[at] + k[at + width]) * (u[at + width] - u[at])
        double g = 0.5 * (u[at + width] - u[at]) * adj_flow;
        atomicAdd(&adj_k[at], g);
        atomicAdd(&adj_k[at + width], g);
        double g_2 = 0.5 * (k[at] + k[at + width]) * adj_flow;
        atomicAdd(&adj_u[at + width], g_2);
        atomicAdd(&adj_u[at], -g_2);
    }
    if (row > 0) {
        // 19:  flow += 0.5 * (k[at] + k[at - width]) * (u[at - width] - u[at])
        double g = 0.5 * (u[at - width] - u[at]) * adj_flow;
        atomicAdd(&adj_k[at], g);
        atomicAdd(&adj_k[at - width], g);
        double g_2 = 0.5 * (k[at] + k[at - width]) * adj_flow;
        atomicAdd(&adj_u[at - width], g_2);
        atomicAdd(&adj_u[at], -g_2);
    }
    if (column < width - 1) {
        // 17:  flow += 0.5 * (k[at] + k[at + 1]) * (u[at + 1] - u[at])
        double g = 0.5 * (u[at + 1] - u[at]) * adj_flow;
        atomicAdd(&adj_k[at], g);
        atomicAdd(&adj_k[at + 1], g);
        double g_2 = 0.5 * (k[at] + k[at + 1]) * adj_flow;
        atomicAdd(&adj_u[at + 1], g_2);
        atomicAdd(&adj_u[at], -g_2);
    }
    if (column > 0) {
        // 15:  flow += 0.5 * (k[at] + k[at - 1]) * (u[at - 1] - u[at])
        double g = 0.5 * (u[at - 1] - u[at]) * adj_flow;
        atomicAdd(&adj_k[at], g);
        atomicAdd(&adj_k[at - 1], g);
        double g_2 = 0.5 * (k[at] + k[at - 1]) * adj_flow;
        atomicAdd(&adj_u[at - 1], g_2);
        atomicAdd(&adj_u[at], -g_2);
    }
}
