// odd_tail_adj: adjoint of odd_tail (odd_tail.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform odd_tail.cu --of y --wrt x
//
// Call with x as it was before odd_tail. adj_y comes in as dJ/dy after odd_tail and
// goes out as dJ/dy before it, element by element. dJ/dx is added to adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i (line 6)        tape_i, a register   line 11 overwrites it
//   i (line 8)        inverted             each iteration adds stride
//   trips of line 8   trips, a register    the loop decides in its iterations when it
//                                          ends
//   x[..]             reloaded             nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element, the one that stores y[2 * i]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void odd_tail_adj(const float *x, float *adj_x, float *y, float *adj_y, int n)
{
    // ---- forward sweep ------------------------------------------------------

    int pairs = n >> 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int tape_i = i;
    const int stride = gridDim.x * blockDim.x;
    int trips = 0;
    while (i < pairs) {
        i += stride;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    if (n % 2 == 1 && i == pairs) {
        // 14:  y[n - 1] = x[n - 1] * x[n - 1]
        adj_x[n - 1] += 2.0f * x[n - 1] * adj_y[n - 1];
        adj_y[n - 1] = 0.0f;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        int i = tape_i + trip * stride;

        // 10:  y[2 * i + 1] = x[2 * i] + x[2 * i + 1]
        float g = adj_y[2 * i + 1];
        adj_x[2 * i] += g;
        adj_x[2 * i + 1] += g;
        adj_y[2 * i + 1] = 0.0f;

        // 9:  y[2 * i] = x[2 * i] * x[2 * i + 1]
        float g_2 = adj_y[2 * i];
        adj_x[2 * i] += x[2 * i + 1] * g_2;
        adj_x[2 * i + 1] += x[2 * i] * g_2;
        adj_y[2 * i] = 0.0f;
    }
}
