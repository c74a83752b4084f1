// stepped_by_a_function_adj: adjoint of stepped_by_a_function (stepped_by_a_function.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stepped_by_a_function.cu --of y --wrt x
//
// Call with x as it was before stepped_by_a_function. Seed adj_y with dJ/dy: it is left
// alone, because stepped_by_a_function stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]              reloaded               nothing stores to it
//   q                  tape_q[6], registers   line 6 changes it in each iteration
//   a                  tape_a[6], registers   line 22 changes it in each iteration
//   trips of line 19   trips, a register      the loop decides in its iterations when
//                                             it ends
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[i] and x[(i +
//                           q) % n]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void stepped_by_a_function_adj(const float *x, float *adj_x,
                                                     float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float a = 0.0f;
    for (int q = 0; q < 4; q += 1)
        a += x[i] * x[(i + q) % n];
    int turns = 0;
    int trips = 0;
    float tape_a[6];
    int tape_q[6];
    for (int q = 0; q < 6; q += turns % 2 ? 1 : 2, ++turns) {
        tape_a[trips] = a;
        tape_q[trips] = q;
        if (q != 2)
            a *= x[(i + q) % n] + 1.0f;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 24:  y[i] = a
    float adj_a = adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        float a = tape_a[trip];
        int q = tape_q[trip];
        if (q != 2) {
            // 22:  a *= x[(i + q) % n] + 1.0f
            atomicAdd(&adj_x[(i + q) % n], a * adj_a);
            adj_a *= x[(i + q) % n] + 1.0f;
        }
    }
    float adj_x_sum = 0.0f;
    for (int q = 0; q < 4; ++q) {
        // 17:  a += x[i] * x[(i + q) % n]
        adj_x_sum += x[(i + q) % n] * adj_a;
        atomicAdd(&adj_x[(i + q) % n], x[i] * adj_a);
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        atomicAdd(&adj_x[i], adj_x_sum);
}
