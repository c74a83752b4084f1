// switch_in_function_adj: adjoint of switch_in_function (switch_in_function.cu:21).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform switch_in_function.cu --of y --wrt x
//
// Call with x and kind as they were before switch_in_function. Seed adj_y with dJ/dy:
// it is left alone, because switch_in_function stores each element of y at most once.
// dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   acc        tape_acc[4], registers   line 8 or 11 or 14 or 16 changes it in each
//                                       iteration
//   selector   recomputed               from values at hand, in the reversed iteration
//   x[..]      reloaded                 nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void switch_in_function_adj(const float *x, float *adj_x,
                                       float *y, const float *adj_y, const int *kind, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float acc = 0.5f;
    int q = kind[i];
    float tape_acc[4];
    for (int j = 0; j < 4; ++j) {
        tape_acc[j] = acc;
        int selector = (q + j) % 4;
        switch (selector) {
        case 0:
            acc += x[4 * i + j] * x[4 * i + j];
            break;
        case 1:
            acc *= x[4 * i + j];
            break;
        case 2:
        default:
            if (selector == 2)
                acc = sinf(acc);
            acc += 0.1f * x[4 * i + j];
            break;
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    // 28:  y[i] = acc
    float adj_acc = adj_y[i];
    for (int j = 3; j >= 0; --j) {
        float acc = tape_acc[j];
        int selector = (q + j) % 4;
        switch (selector) {
        case 0:
            // 8:  acc += v[j] * v[j]
            adj_x[4 * i + j] += 2.0f * x[4 * i + j] * adj_acc;
            break;
        case 1:
            // 11:  acc *= v[j]
            adj_x[4 * i + j] += acc * adj_acc;
            adj_acc *= x[4 * i + j];
            break;
        case 2:
        default:
            // 16:  acc += 0.1f * v[j]
            adj_x[4 * i + j] += 0.1f * adj_acc;
            if (selector == 2) {
                // 14:  acc = sinf(acc)
                adj_acc *= cosf(acc);
            }
            break;
        }
    }
}
