// rows_in_views_adj: adjoint of rows_in_views (rows_in_views.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rows_in_views.cu --of y --wrt x
//
// Call with x as it was before rows_in_views. Seed adj_y with dJ/dy: it is left alone,
// because rows_in_views stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum     reloaded   still in its variable
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void rows_in_views_adj(const float *x, float *adj_x,
                                             float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float sum = 0.0f;
        for (int k = 0; k < 3; k++)
            sum += x[(long)i * 12 + (long)k * 2] * x[(long)i * 12 + (long)(2 - k) * 2 + 1];

        // ---- reverse sweep ------------------------------------------------------

        // 16:  y[i] = sum * frame->at[0].z + frame->at[1].x * frame->at[1].y
        float g = adj_y[i];
        float adj_sum = x[(long)i * 12 + 8] * g;
        adj_x[(long)i * 12 + 8] += sum * g;
        adj_x[(long)i * 12 + 9] += x[(long)i * 12 + 10] * g;
        adj_x[(long)i * 12 + 10] += x[(long)i * 12 + 9] * g;
        for (int k = 0; k < 3; ++k) {
            // 15:  sum += frame->axes[k].x * frame->axes[2 - k].y
            adj_x[(long)i * 12 + (long)k * 2] += x[(long)i * 12 + (long)(2 - k) * 2 + 1] * adj_sum;
            adj_x[(long)i * 12 + (long)(2 - k) * 2 + 1] += x[(long)i * 12 + (long)k * 2] * adj_sum;
        }
    }
}
