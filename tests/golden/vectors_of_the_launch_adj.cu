// vectors_of_the_launch_adj: adjoint of vectors_of_the_launch (vectors_of_the_launch.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform vectors_of_the_launch.cu --of result --wrt points
//
// Call with points as it was before vectors_of_the_launch. Seed adj_result with
// dJ/dresult: it is left alone, because vectors_of_the_launch stores each element of
// result at most once. dJ/dpoints is added to adj_points. result is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   p.x, p.y           reloaded            still in its variable
//   s (line 12)        recomputed          from values at hand
//   s (line 12)        inverted            each iteration divides it by 2
//   trips of line 12   trips, a register   the loop decides in its iterations when it
//                                          ends
//   part[..]           reloaded            no later store goes to it
//
// How adjoints are added up:
//   adj_points[..].x   +=, one owner   one thread per element
//   adj_points[..].y   +=, one owner   one thread per element
//   adj_part[..]       +=, by phase    between two barriers one thread per element
//
// Extra memory: adj_part lies behind part in the launch's shared memory;
// vectors_of_the_launch_adj_shared_bytes(grid, block, shared_bytes, n) says how many
// bytes to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for part and adj_part.
extern "C" size_t vectors_of_the_launch_adj_shared_bytes(
        dim3 grid, dim3 block, size_t shared_bytes, int n)
{
    long long count = 2LL * (int)block.x;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void vectors_of_the_launch_adj(const float2 *points, float2 *adj_points,
                                                     float2 *result, const float2 *adj_result,
                                                     int n)
{
    extern __shared__ float part[];
    int part_size = 2 * (int)blockDim.x;
    float *adj_part = part + part_size;
    for (int q = threadIdx.x; q < part_size; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float2 p = make_float2(i < n ? points[i].x : 0.0f, i < n ? points[i].y : 0.0f);
    part[(long)t * 2] = p.x * p.y;
    part[(long)t * 2 + 1] = p.x * p.x;
    __syncthreads();
    int trips = 0;
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) {
            float part_was = part[(long)t * 2 + 1] + part[(long)(t + s) * 2 + 1];

            part[(long)t * 2] = part[(long)t * 2] + part[(long)(t + s) * 2];
            part[(long)t * 2 + 1] = part_was;
        }
        __syncthreads();
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    if (t == 0) {
        // 18:  result[blockIdx.x] = make_float2(part[0].x * part[0].y, part[0].y)
        adj_part[1] += adj_result[blockIdx.x].y;
        float g = adj_result[blockIdx.x].x;
        *adj_part += part[1] * g;
        adj_part[1] += part[0] * g;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        int s = (int)(blockDim.x / 2) >> trip;
        __syncthreads();
        if (t < s) {
            // 14:  part[t] = part[t] + part[t + s]
            float adj_part_was = adj_part[(long)t * 2 + 1];
            adj_part[(long)t * 2 + 1] = 0.0f;
            adj_part[(long)(t + s) * 2] += adj_part[(long)t * 2];

            // 3:  a.y + b.y
            adj_part[(long)t * 2 + 1] += adj_part_was;
            adj_part[(long)(t + s) * 2 + 1] += adj_part_was;
        }
    }
    __syncthreads();

    // 10:  part[t] = make_float2(p.x * p.y, p.x * p.x)
    float2 adj_p;
    adj_p.x = 2.0f * p.x * adj_part[(long)t * 2 + 1];
    adj_part[(long)t * 2 + 1] = 0.0f;
    float g = adj_part[(long)t * 2];
    adj_p.x += p.y * g;

    // 9:  float2 p = i < n ? points[i] : make_float2(0.0f, 0.0f)
    if (i < n) {
        adj_points[i].x += adj_p.x;
        adj_points[i].y += p.x * g;
    }
}
