// forever_adj: adjoint of forever (forever.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform forever.cu --of y --wrt x,rate
//
// Call with x as it was before forever. Seed adj_y with dJ/dy: it is left alone,
// because forever stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/drate is added to adj_rate. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 11)        snapshot_v[16], local memory        line 12 or 15 changes it in
//                                                          each iteration, and nothing
//                                                          bounds their number
//   rounds             snapshot_rounds[16], local memory   line 20 changes it in each
//                                                          iteration, and nothing
//                                                          bounds their number
//   trips of line 11   trips, a register                   the loop decides in its
//                                                          iterations when it ends
//   v (line 14)        dv_drate, dv_dv0, carried forward   line 15 changes it in each
//                                                          iteration, and inputs are
//                                                          few
//   v (line 34)        dv_drate, dv_dv0, carried forward   line 31 changes it in each
//                                                          iteration, and inputs are
//                                                          few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_rate    reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void forever_adj(const double *x, double *adj_x,
                                       double rate, double *adj_rate,
                                       double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_rate_sum = 0.0;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double v = x[i];
        int rounds = 0;
        int trips = 0;
        double snapshot_v[16];
        int snapshot_rounds[16];
        int stride = 1;
        for (;;) {
            if (trips % stride == 0) {
                if (trips == 16 * stride) {
                    for (int j = 1; j < 8; ++j) {
                        snapshot_v[j] = snapshot_v[2 * j];
                        snapshot_rounds[j] = snapshot_rounds[2 * j];
                    }
                    stride *= 2;
                }
                snapshot_v[trips / stride] = v;
                snapshot_rounds[trips / stride] = rounds;
            }
            ++trips;
            v = v + 0.01 * rate * sin(v) + 0.02;
            bool done = false;
            while (true) {
                v = v * (1.0 - 0.01 * rate * v);
                if (v > 2.0) {
                    done = true;
                    break;
                }
                ++rounds;
                if (rounds % 3 == 0)
                    break;
            }
            if (done || rounds > 120)
                break;
        }
        int k = 0;
        double dv_drate = 0.0;
        double dv_dv0 = 1.0;
        do {
            k++;
            if (!(k % 2)) {
                double sine;
                double cosine;
                sincos(v, &sine, &cosine);
                double slope = 1.0 - 0.01 * sine;
                dv_drate = slope * dv_drate + 0.001 * k;
                dv_dv0 *= slope;
                v = v + 0.01 * cosine + 0.001 * rate * k;
                if (v > 2.5)
                    break;
            }
        } while (k < 70);

        // ---- reverse sweep ------------------------------------------------------

        // 35:  y[i] = v
        double adj_v = adj_y[i];

        // 34:  while (k < 70)
        // its tangents, carried along, are what it owes
        adj_rate_sum = dv_drate * adj_v;
        adj_v *= dv_dv0;
        for (int trip = trips - 1; trip >= 0; --trip) {
            double v = snapshot_v[trip / stride];
            int rounds = snapshot_rounds[trip / stride];
            for (int r = trip / stride * stride; r < trip; ++r) {
                v = v + 0.01 * rate * sin(v) + 0.02;
                while (true) {
                    v = v * (1.0 - 0.01 * rate * v);
                    if (v > 2.0)
                        break;
                    ++rounds;
                    if (rounds % 3 == 0)
                        break;
                }
            }
            int rounds_2 = rounds;
            double sine;
            double cosine;
            sincos(v, &sine, &cosine);
            double v_2 = v + 0.01 * rate * sine + 0.02;
            double dv_drate = 0.0;
            double dv_dv0 = 1.0;
            while (true) {
                double slope = 1.0 - 0.01 * rate * v_2 - v_2 * (0.01 * rate);
                dv_drate = slope * dv_drate - 0.01 * v_2 * v_2;
                dv_dv0 *= slope;
                v_2 = v_2 * (1.0 - 0.01 * rate * v_2);
                if (v_2 > 2.0)
                    break;
                ++rounds_2;
                if (rounds_2 % 3 == 0)
                    break;
            }

            // 14:  while (true)
            // its tangents, carried along, are what it owes
            adj_rate_sum += dv_drate * adj_v;
            adj_v *= dv_dv0;

            // 12:  v = v + 0.01 * rate * sin(v) + 0.02
            adj_rate_sum += 0.01 * sine * adj_v;
            adj_v += 0.01 * rate * cosine * adj_v;
        }

        // 9:  double v = x[i]
        adj_x[i] += adj_v;
    }
    block_add(adj_rate, adj_rate_sum);
}
