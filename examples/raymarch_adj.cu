// raymarch_adj: adjoint of raymarch (raymarch.cu:12).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform raymarch.cu --of depth --wrt cx,cy,cz,radius,sharpness
//
// Call with cx, cy, cz and radius as they were before raymarch. Seed adj_depth with
// dJ/ddepth: it is left alone, because raymarch stores each element of depth at most
// once. dJ/dcx is added to adj_cx; dJ/dcy is added to adj_cy; dJ/dcz is added to
// adj_cz; dJ/dradius is added to adj_radius; dJ/dsharpness is added to adj_sharpness.
// depth is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   dz, dx, dy                reloaded                          still in its variable
//   t                         tape_t[MAX_STEPS], local memory   line 37 or 39 changes it
//                                                               in each iteration
//   trips of line 28          trips, a register                 the loop decides in its
//                                                               iterations when it ends
//   sum, d, distance          recomputed                        from values at hand, in
//                                                               the reversed iteration
//   cx[..], cy[..], cz[..],   reloaded                          nothing stores to it
//   radius[..]
//
// How adjoints are added up:
//   adj_cx[..]       atomicAdd           every thread reads the same cx[b]
//   adj_cy[..]       atomicAdd           every thread reads the same cy[b]
//   adj_cz[..]       atomicAdd           every thread reads the same cz[b]
//   adj_radius[..]   atomicAdd           every thread reads the same radius[b]
//   adj_sharpness    reduced per block   every thread has its share in it
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#define MAX_STEPS 48
#define CLOSE 0.01f
#define FAR 8.0f

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

static __device__ float ball_distance(float x, float y, float z, float radius)
{
    return sqrtf(x * x + y * y + z * z) - radius;
}

static __device__ void ball_distance_adj(float x, float *adj_x,
                                         float y, float *adj_y,
                                         float z, float *adj_z,
                                         float radius, float *adj_radius, float adj_ball_distance)
{
    // 8:  return sqrtf(x * x + y * y + z * z) - radius
    if (adj_ball_distance != 0.0f) {
        float g = 0.5f * adj_ball_distance * rsqrtf(x * x + y * y + z * z);
        *adj_x += 2.0f * x * g;
        *adj_y += 2.0f * y * g;
        *adj_z += 2.0f * z * g;
    }
    *adj_radius -= adj_ball_distance;
}

extern "C" __global__ void raymarch_adj(const float *cx, float *adj_cx,
                                        const float *cy, float *adj_cy,
                                        const float *cz, float *adj_cz,
                                        const float *radius, float *adj_radius, int balls,
                                        float sharpness, float *adj_sharpness,
                                        float *depth, const float *adj_depth, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float adj_sharpness_sum = 0.0f;
    if (column < width && row < height) {
        // ---- forward sweep ------------------------------------------------------

        // The eye is at the origin and looks along z.
        float dx = (column + 0.5f) / width - 0.5f;
        float dy = (row + 0.5f) / height - 0.5f;
        float dz = rsqrtf(dx * dx + dy * dy + 1.0f);
        dx *= dz;
        dy *= dz;

        float t = 0.0f;
        int trips = 0;
        int left_by = 0;
        float tape_t[MAX_STEPS];
        for (int step = 0; step < MAX_STEPS; ++step) {
            tape_t[step] = t;
            ++trips;
            float sum = 0.0f;
            for (int b = 0; b < balls; ++b) {
                float d = ball_distance(t * dx - cx[b], t * dy - cy[b], t * dz - cz[b], radius[b]);
                sum += expf(-sharpness * d);
            }
            float distance = -logf(sum) / sharpness;
            if (distance < CLOSE) {
                left_by = 1;
                break;
            }
            t += distance;
            if (t > FAR) {
                left_by = 2;
                break;
            }
        }

        // ---- reverse sweep ------------------------------------------------------

        // 43:  depth[row * width + column] = t
        float adj_t = adj_depth[row * width + column];
        for (int step = trips - 1; step >= 0; --step) {
            float t = tape_t[step];
            float sum = 0.0f;
            for (int b = 0; b < balls; ++b) {
                float d = ball_distance(t * dx - cx[b], t * dy - cy[b], t * dz - cz[b], radius[b]);
                sum += expf(-sharpness * d);
            }
            float distance = -logf(sum) / sharpness;
            float adj_distance = 0.0f;
            if (!(step == trips - 1 && left_by == 1)) {
                if (step == trips - 1 && left_by == 2) {
                    // 39:  t = FAR
                    adj_t = 0.0f;
                }

                // 37:  t += distance
                adj_distance = adj_t;
            }

            // 34:  float distance = -logf(sum) / sharpness
            float g = adj_distance / sharpness;
            float adj_sum = -(g / sum);
            adj_sharpness_sum -= distance * g;
            for (int b = 0; b < balls; ++b) {
                float d = ball_distance(t * dx - cx[b], t * dy - cy[b], t * dz - cz[b], radius[b]);

                // 32:  sum += expf(-sharpness * d)
                float g = expf(-sharpness * d) * adj_sum;
                adj_sharpness_sum -= d * g;

                // 31:  float d = ball_distance(t * dx - cx[b], t * dy - cy[b], t * dz - cz[b],
                //      radius[b])
                float adj_x = 0.0f;
                float adj_y = 0.0f;
                float adj_z = 0.0f;
                float adj_radius_2 = 0.0f;
                ball_distance_adj(t * dx - cx[b], &adj_x, t * dy - cy[b], &adj_y, t * dz - cz[b],
                                  &adj_z, radius[b], &adj_radius_2, -(sharpness * g));
                adj_t += dx * adj_x + dy * adj_y + dz * adj_z;
                atomicAdd(&adj_cx[b], -adj_x);
                atomicAdd(&adj_cy[b], -adj_y);
                atomicAdd(&adj_cz[b], -adj_z);
                atomicAdd(&adj_radius[b], adj_radius_2);
            }
        }
    }
    block_add(adj_sharpness, adj_sharpness_sum);
}
