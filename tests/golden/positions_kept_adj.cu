// positions_kept_adj: adjoint of positions_kept (positions_kept.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform positions_kept.cu --of y --wrt x
//
// Call with x as it was before positions_kept. Seed adj_y with dJ/dy: it is left alone,
// because positions_kept stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v       tape_v[2], registers   line 17 changes it in each iteration
//   x[..]   reloaded               nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

struct Part { dim3 from; int step; };

extern "C" __global__ void positions_kept_adj(const float *x, float *adj_x,
                                              float *y, const float *adj_y, dim3 size)
{
    uint3 thread;
    thread.x = threadIdx.x;
    thread.y = threadIdx.y;
    dim3 block;
    block.x = blockIdx.x;
    block.y = blockIdx.y;
    dim3 at = dim3(block.x * blockDim.x + thread.x, block.y * blockDim.y + thread.y, 1);
    dim3 whole;
    whole.z = gridDim.z;
    dim3 one;
    one.y = 1;
    Part part;
    part.from.x = 1;
    part.step = 2;
    if (at.x < size.x && at.y < size.y) {
        // ---- forward sweep ------------------------------------------------------

        float v = x[at.y * size.x + at.x];
        float tape_v[2];
        for (unsigned int k = at.z; k < part.from.x + part.step; k++) {
            tape_v[k - at.z] = v;
            v *= (float)(one.y + 3) * x[at.y * size.x + at.x];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 18:  y[at.y * size.x + at.x] = v / (float)whole.z
        float adj_v = adj_y[at.y * size.x + at.x] / (float)whole.z;
        float adj_x_sum = 0.0f;
        for (unsigned int k = part.from.x + part.step; k-- > at.z;) {
            float v = tape_v[k - at.z];

            // 17:  v *= (float)(one.y + dim3(4, 3).y) * x[at.y * size.x + at.x]
            adj_x_sum += v * (float)(one.y + 3) * adj_v;
            adj_v *= (float)(one.y + 3) * x[at.y * size.x + at.x];
        }
        // what the iterations owe, added once
        if (adj_x_sum != 0.0f)
            adj_x[at.y * size.x + at.x] += adj_x_sum;

        // 15:  float v = x[at.y * size.x + at.x]
        adj_x[at.y * size.x + at.x] += adj_v;
    }
}
