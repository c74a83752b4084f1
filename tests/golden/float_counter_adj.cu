// float_counter_adj: adjoint of float_counter (float_counter.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform float_counter.cu --of y --wrt x,rate
//
// Call with x as it was before float_counter. Seed adj_y with dJ/dy: it is left alone,
// because float_counter stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/drate is added to adj_rate. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   t                 snapshot_t[16], local memory   line 9 changes it in each
//                                                    iteration, and nothing bounds
//                                                    their number
//   v                 snapshot_v[16], local memory   line 10 changes it in each
//                                                    iteration, and nothing bounds
//                                                    their number
//   trips of line 9   trips, a register              the loop decides in its iterations
//                                                    when it ends
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_rate    atomicAdd       every thread has its share in it, added once per thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void float_counter_adj(const float *x, float *adj_x,
                                             float rate, float *adj_rate,
                                             float *y, const float *adj_y, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_rate_sum = 0.0f;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float v = x[i];
    int trips = 0;
    float snapshot_v[16];
    float snapshot_t[16];
    int stride = 1;
    for (float t = 0.0f; t < 1.0f; t += dt) {
        if (trips % stride == 0) {
            if (trips == 16 * stride) {
                for (int j = 1; j < 8; ++j) {
                    snapshot_v[j] = snapshot_v[2 * j];
                    snapshot_t[j] = snapshot_t[2 * j];
                }
                stride *= 2;
            }
            snapshot_v[trips / stride] = v;
            snapshot_t[trips / stride] = t;
        }
        v += dt * rate * v * (1.0f - v) * cosf(t);
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 11:  y[i] = v
    float adj_v = adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        float v = snapshot_v[trip / stride];
        float t = snapshot_t[trip / stride];
        for (int r = trip / stride * stride; r < trip; ++r) {
            v += dt * rate * v * (1.0f - v) * cosf(t);
            t += dt;
        }

        // 10:  v += dt * rate * v * (1.0f - v) * cosf(t)
        float g = cosf(t) * adj_v;
        float g_2 = (1.0f - v) * g;
        adj_rate_sum += v * dt * g_2;
        adj_v += dt * rate * g_2 - dt * rate * v * g;
    }

    // 8:  float v = x[i]
    adj_x[i] += adj_v;
    atomicAdd(adj_rate, adj_rate_sum);
}
