// integer_steering_adj: adjoint of integer_steering (integer_steering.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform integer_steering.cu --of y --wrt x,w
//
// Call with x, w, flags, offset and power as they were before integer_steering. Seed
// adj_y with dJ/dy: it is left alone, because integer_steering stores each element of y
// at most once. dJ/dx is added to adj_x; dJ/dw is added to adj_w. y is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 12)                tape_v, a register             line 14 overwrites it
//   offset[..], w[..], x[..]   reloaded                       nothing stores to it
//   v (line 13)                tape_v_2, a register           line 16 overwrites it
//   v (line 17)                snapshot_v[16], local memory   line 18 changes it in
//                                                             each iteration, and
//                                                             nothing bounds their
//                                                             number
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   offset may repeat
//   adj_w[..]   atomicAdd   not proved that two threads never meet in w[hash % 7u] and
//                           w[(hash + 1u) % 7u]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void integer_steering_adj(const float *x, float *adj_x,
                                                const float *w, float *adj_w,
                                                const unsigned char *flags, const long long *offset,
                                                const short *power,
                                                float *y, const float *adj_y, unsigned int mask,
                                                int n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    bool odd = flags[i] & 1;
    unsigned int hash = (((unsigned int)i * 2654435761u) >> 16) ^ mask;
    float v = x[offset[i]];
    float tape_v = v;
    if (odd)
        v *= w[hash % 7u];
    float tape_v_2 = v;
    if ((flags[i] >> 1) & 1)
        v = v * v - w[(hash + 1u) % 7u];
    float snapshot_v[16];
    int stride = 1;
    for (int p = 0; p < power[i]; ++p) {
        if (p % stride == 0) {
            if (p == 16 * stride) {
                for (int j = 1; j < 8; ++j)
                    snapshot_v[j] = snapshot_v[2 * j];
                stride *= 2;
            }
            snapshot_v[p / stride] = v;
        }
        v *= x[i];
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_v;

    // 19:  y[i] = !odd ? v : -v
    float g = adj_y[i];
    if (!odd)
        adj_v = g;
    else
        adj_v = -g;
    float adj_x_sum = 0.0f;
    for (int p = power[i] - 1; p >= 0; --p) {
        float v = snapshot_v[p / stride];
        for (int r = p / stride * stride; r < p; ++r)
            v *= x[i];

        // 18:  v *= x[i]
        adj_x_sum += v * adj_v;
        adj_v *= x[i];
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        atomicAdd(&adj_x[i], adj_x_sum);
    if ((flags[i] >> 1) & 1) {
        // 16:  v = v * v - w[(hash + 1u) % 7u]
        atomicAdd(&adj_w[(hash + 1u) % 7u], -adj_v);
        adj_v *= 2.0f * tape_v_2;
    }
    if (odd) {
        // 14:  v *= w[hash % 7u]
        atomicAdd(&adj_w[hash % 7u], tape_v * adj_v);
        adj_v *= w[hash % 7u];
    }

    // 12:  float v = x[offset[i]]
    atomicAdd(&adj_x[offset[i]], adj_v);
}
