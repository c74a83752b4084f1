// gather_points_adj: adjoint of gather_points (companion_template.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform companion_template.cu --of total,y --wrt x --companion
//
// Call with x as it was before gather_points. Seed adj_y with dJ/dy: it is left alone,
// because gather_points stores each element of y at most once. Seed adj_total with
// dJ/dtotal: it is left alone, because gather_points only adds to total. dJ/dx is added
// to adj_x. y and total are neither read nor written.
//
// Include it behind companion_template.cu, in one translation unit: the macros, types,
// constants, variables and device functions that it names are those of that file.
//
// What the reverse sweep needs, and where it finds it:
//   p.at.x, p.at.y, sum   reloaded   still in its variable
//   part[..]              reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..].at.x   atomicAdd      not proved that two threads never meet in x[i < n ?
//                                   i : n - 1]
//   adj_x[..].at.y   atomicAdd      not proved that two threads never meet in x[i < n ?
//                                   i : n - 1]
//   adj_part[..]     +=, gathered   a thread collects what all threads of its row owe
//                                   to its element of part
//
// Of the template gather_points this is the instance with T = float, N = 8.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void gather_points_adj(const Point *x, Point *adj_x,
                                             float *y, const float *adj_y, int n,
                                             const float *adj_total)
{
    __shared__ float part[8];
    __shared__ float adj_part[8];
    __shared__ float adj_sum_tile[8];
    for (int q = threadIdx.x; q < 8; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * 8 + threadIdx.x;
    Point p = x[i < n ? i : n - 1];
    part[threadIdx.x] = i < n ? sqrtf(p.at.x * p.at.x + p.at.y * p.at.y + 1.0f) : (float)0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += part[k] * part[k];

    // ---- reverse sweep ------------------------------------------------------

    Point adj_p;
    adj_p.at.x = 0.0f;
    float adj_sum = 0.0f;
    if (i < n) {
        // 28:  atomicAdd(&total[p.id], part[threadIdx.x])
        adj_part[threadIdx.x] += adj_total[p.id];

        // 27:  y[i] = sum * p.at.x
        float g = adj_y[i];
        adj_sum = p.at.x * g;
        adj_p.at.x += sum * g;
    }
    adj_sum_tile[threadIdx.x] = adj_sum;
    __syncthreads();
    float adj_part_sum = 0.0f;
    // what the threads along x owe to this thread's elements
    for (int k = 0; k < 8; ++k) {
        // 25:  sum += part[k] * part[k]
        adj_part_sum += 2.0f * part[threadIdx.x] * adj_sum_tile[k];
    }
    adj_part[threadIdx.x] += adj_part_sum;
    adj_p.at.y = 0.0f;

    // 21:  part[threadIdx.x] = i < n ? reach(p) : T(0)
    if (i < n) {
        float g = 0.5f * adj_part[threadIdx.x] * rsqrtf(p.at.x * p.at.x + p.at.y * p.at.y + 1.0f);
        adj_p.at.x += 2.0f * p.at.x * g;
        adj_p.at.y = 2.0f * p.at.y * g;
    }

    // 20:  Point p = x[i < n ? i : n - 1]
    atomicAdd(&adj_x[i < n ? i : n - 1].at.x, adj_p.at.x);
    atomicAdd(&adj_x[i < n ? i : n - 1].at.y, adj_p.at.y);
}
