// counters_that_wrap_adj: adjoint of counters_that_wrap (counters_that_wrap.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform counters_that_wrap.cu --of y --wrt x
//
// Call with x as it was before counters_that_wrap. Seed adj_y with dJ/dy: it is left
// alone, because counters_that_wrap stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p                   tape_p[4], registers   line 11 changes it in each iteration
//   j (line 10)         inverted               each iteration subtracts 1
//   trips of line 10,   trips, a register      the loop decides in its iterations when
//                                              it ends
//   trips of line 13
//   x[..]               reloaded               nothing stores to it
//   q                   tape_q[9], registers   line 14 changes it in each iteration
//   j (line 13)         inverted               each iteration adds 1
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in c[j], c[0] and
//                           c[j & 3]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void counters_that_wrap_adj(const float *x, float *adj_x,
                                       float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float p = 0.5f;
    int trips = 0;
    float tape_p[4];
    for (unsigned int j = 3; j != -1u; --j) {
        tape_p[trips] = p;
        p = p * p * x[(long)(4 * i) + j] + x[4 * i];
        ++trips;
    }
    float q = p;
    int trips_2 = 0;
    float tape_q[9];
    for (unsigned char j = 250; j != 3; ++j) {
        tape_q[trips_2] = q;
        q = 0.5f * q + 0.01f * j * x[4 * i + (j & 3)] * sinf(q);
        ++trips_2;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = q
    float adj_q = adj_y[i];
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        unsigned char j = (unsigned char)((unsigned char)250 + trip);

        // 14:  q = 0.5f * q + 0.01f * j * c[j & 3] * sinf(q)
        float sine;
        float cosine;
        sincosf(tape_q[trip], &sine, &cosine);
        atomicAdd(&adj_x[4 * i + (j & 3)], sine * (0.01f * j) * adj_q);
        adj_q = 0.5f * adj_q + 0.01f * j * x[4 * i + (j & 3)] * cosine * adj_q;
    }

    // 12:  float q = p
    float adj_p = adj_q;
    float adj_x_sum = 0.0f;
    for (int trip = trips - 1; trip >= 0; --trip) {
        float p = tape_p[trip];
        unsigned int j = (unsigned int)3 - trip;

        // 11:  p = p * p * c[j] + c[0]
        atomicAdd(&adj_x[(long)(4 * i) + j], p * p * adj_p);
        adj_x_sum += adj_p;
        adj_p *= 2.0f * p * x[(long)(4 * i) + j];
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        atomicAdd(&adj_x[4 * i], adj_x_sum);
}
