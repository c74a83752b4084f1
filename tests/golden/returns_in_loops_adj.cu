// kernel_adj: adjoint of kernel (returns_in_loops.cu:36).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform returns_in_loops.cu --of y --wrt x,table,gain
//
// Call with x, table, gain and kind as they were before kernel. Seed adj_y with dJ/dy:
// it is left alone, because kernel stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dtable is added to adj_table; dJ/dgain is added to adj_gain. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v.x (line 41)         tape_v_x_2, a register        line 4 overwrites it
//   by, v.x (line 4),     reloaded                      still in its variable
//   v.y (line 18),
//   v.x (line 18)
//   v.x (line 18)         tape_v_x[3], registers        line 26 or 31 changes it in
//                                                       each iteration
//   v.y (line 18)         tape_v_y[3], registers        line 29 changes it in each
//                                                       iteration
//   returned (line 18)    tape_returned[3], registers   line 21 or 24 changes it in
//                                                       each iteration
//   trips of line 18,     trips, a register             the loop decides in its
//                                                       iterations when it ends
//   trips of line 19
//   returned (line 19),   recomputed                    from values at hand, in the
//                                                       reversed iteration
//   returned (line 22)
//   table[..]             reloaded                      nothing stores to it
//
// How adjoints are added up:
//   adj_x[..].x     +=, one owner   one thread per element
//   adj_x[..].y     +=, one owner   one thread per element
//   adj_gain[..]    +=, one owner   one thread per element
//   adj_table[..]   atomicAdd       every thread reads the same table[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void kernel_adj(const float2 *x, float2 *adj_x,
                                      const float *table, float *adj_table,
                                      const float *gain, float *adj_gain, const int *kind,
                                      float2 *y, const float2 *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float2 v;
        v.x = x[i].x;
        float tape_v_x_2 = v.x;
        v.y = x[i].y;
        float by = gain[i];
        if (by > 0.0f) {
            v.x *= by;
            v.y += by * v.x;
        } else {
            v.x += 1.0f;
            v.x *= 0.5f;
            v.y += 0.5f * v.x;
        }
        float2 v_2 = v;
        int kind_2 = kind[i];
        bool returned = false;
        int trips = 0;
        bool tape_returned[3];
        float tape_v_x[3];
        float tape_v_y[3];
        for (int k = 0; k < 3; ++k) {
            tape_returned[k] = returned;
            tape_v_x[k] = v_2.x;
            tape_v_y[k] = v_2.y;
            ++trips;
            for (int j = 0; j < 2; ++j)
                if (v_2.x > table[2 * k + j]) {
                    returned = true;
                    break;
                }
            if (returned)
                break;
            switch (kind_2) {
            case 1:
                returned = true;
                break;
            case 2:
                v_2.x = sinf(v_2.x);
                break;
            default:
                v_2.y *= table[k];
                break;
            }
            if (returned)
                break;
            v_2.x *= 1.5f;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 43:  y[i] = find(table, v, kind[i])
        float2 adj_find_result = adj_y[i];
        float2 adj_v_2 = {};
        if (!returned) {
            // 33:  return make_float2(v.y, v.x * v.y)
            adj_v_2 = make_float2(v_2.y * adj_find_result.y, v_2.x * adj_find_result.y);
            adj_find_result.y = 0.0f;
            adj_v_2.y += adj_find_result.x;
            adj_find_result.x = 0.0f;
        }
        for (int k = trips - 1; k >= 0; --k) {
            bool returned = tape_returned[k];
            float v_x = tape_v_x[k];
            float v_y = tape_v_y[k];
            int trips = 0;
            int left_by = 0;
            for (int j = 0; j < 2; ++j) {
                ++trips;
                if (v_x > table[2 * k + j]) {
                    returned = true;
                    left_by = 1;
                    break;
                }
            }
            if (!returned) {
                bool returned_2 = returned;
                switch (kind_2) {
                case 1:
                    returned_2 = true;
                    break;
                }
                if (!returned_2) {
                    // 31:  v.x *= 1.5f
                    adj_v_2.x *= 1.5f;
                }
                switch (kind_2) {
                case 1:
                    // 24:  return make_float2(v.y * v.y, v.x)
                    adj_v_2.x += adj_find_result.y;
                    adj_find_result.y = 0.0f;
                    adj_v_2.y += 2.0f * v_y * adj_find_result.x;
                    adj_find_result.x = 0.0f;
                    break;
                case 2:
                    // 26:  v.x = sinf(v.x)
                    adj_v_2.x *= cosf(v_x);
                    break;
                default:
                    // 29:  v.y *= table[k]
                    atomicAdd(&adj_table[k], v_y * adj_v_2.y);
                    adj_v_2.y *= table[k];
                    break;
                }
            }
            for (int j = trips - 1; j >= 0; --j)
                if (j == trips - 1 && left_by == 1) {
                    // 21:  return make_float2(v.x * table[k], v.y)
                    adj_v_2.y += adj_find_result.y;
                    adj_find_result.y = 0.0f;
                    adj_v_2.x += table[k] * adj_find_result.x;
                    atomicAdd(&adj_table[k], v_x * adj_find_result.x);
                    adj_find_result.x = 0.0f;
                }
        }

        // 43:  v
        float2 adj_v;
        adj_v.x = adj_v_2.x;
        float adj_by = 0.0f;
        if (by > 0.0f) {
            float v_x = tape_v_x_2;
            v_x *= by;

            // 5:  v.y += by * v.x
            adj_by = v_x * adj_v_2.y;
            adj_v.x += by * adj_v_2.y;

            // 4:  v.x *= by
            adj_by += tape_v_x_2 * adj_v.x;
            adj_v.x *= by;
        } else {
            // 5:  v.y += by * v.x
            adj_v.x += 0.5f * adj_v_2.y;
            // 4:  v.x *= by
            adj_v.x *= 0.5f;
        }

        // 42:  gain[i]
        adj_gain[i] += adj_by;

        // 41:  float2 v = x[i]
        adj_x[i].x += adj_v.x;
        adj_x[i].y += adj_v_2.y;
    }
}
