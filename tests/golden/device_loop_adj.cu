// device_loop_adj: adjoint of device_loop (device_loop.cu:14).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform device_loop.cu --of y --wrt x,p
//
// Call with x and p as they were before device_loop. Seed adj_y with dJ/dy: it is left
// alone, because device_loop stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dp is added to adj_p. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], p[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_p[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ void settle_adj(float v, float *adj_v,
                                  float p, float *adj_p, int limit, float adj_settle)
{
    // ---- forward sweep ------------------------------------------------------

    bool returned = false;
    int trips = 0;
    int left_by = 0;
    float snapshot_v[16];
    int stride = 1;
    for (int k = 0; k < limit; ++k) {
        if (k % stride == 0) {
            if (k == 16 * stride) {
                for (int j = 1; j < 8; ++j)
                    snapshot_v[j] = snapshot_v[2 * j];
                stride *= 2;
            }
            snapshot_v[k / stride] = v;
        }
        ++trips;
        float next = v - 0.5f * p * sinf(v);
        if (fabsf(next - v) < 0.05f) {
            returned = true;
            left_by = 1;
            break;
        }
        v = next;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_v_sum = 0.0f;
    if (!returned) {
        // 11:  return 0.5f * v
        adj_v_sum = 0.5f * adj_settle;
        adj_settle = 0.0f;
    }
    for (int k = trips - 1; k >= 0; --k) {
        float v = snapshot_v[k / stride];
        for (int r = k / stride * stride; r < k; ++r) {
            float next = v - 0.5f * p * sinf(v);
            v = next;
        }
        float adj_next;
        if (k == trips - 1 && left_by == 1) {
            // 8:  return next
            adj_next = adj_settle;
            adj_settle = 0.0f;
        } else {
            // 9:  v = next
            adj_next = adj_v_sum;
            adj_v_sum = 0.0f;
        }

        // 6:  float next = v - 0.5f * p * sinf(v)
        float sine;
        float cosine;
        sincosf(v, &sine, &cosine);
        adj_v_sum += adj_next - 0.5f * p * cosine * adj_next;
        *adj_p -= 0.5f * sine * adj_next;
    }
    *adj_v += adj_v_sum;
}

extern "C" __global__ void device_loop_adj(const float *x, float *adj_x,
                                           const float *p, float *adj_p,
                                           float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // 18:  y[i] = settle(x[i], p[i], 3 + i % 4)
        float adj_v = 0.0f;
        float adj_p_2 = 0.0f;
        settle_adj(x[i], &adj_v, p[i], &adj_p_2, 3 + i % 4, adj_y[i]);
        adj_x[i] += adj_v;
        adj_p[i] += adj_p_2;
    }
}
