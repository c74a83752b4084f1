// raymarch_adj: adjoint of raymarch (raymarch.cu:17).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform raymarch.cu --of depth --wrt radius,height
//
// Call with radius and height as they were before raymarch. Seed adj_depth with
// dJ/ddepth: it is left alone, because raymarch stores each element of depth at most
// once. dJ/dradius is added to adj_radius; dJ/dheight is added to adj_height. depth is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   dx, dy, dz               reloaded                          still in its variable
//   t                        tape_t[MAX_STEPS], local memory   line 34 or 36 changes it
//                                                              in each iteration
//   trips of line 30         trips, a register                 the loop decides in its
//                                                              iterations when it ends
//   radius[..], height[..]   reloaded                          nothing stores to it
//
// How adjoints are added up:
//   adj_radius[..]   atomicAdd           threads that differ in blockIdx.y and
//                                        threadIdx.y only read the same radius[px]
//   adj_height[..]   reduced per block   every thread reads height[0]
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#define MAX_STEPS 40

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

static __device__ float sphere(float x, float y, float z, float r)
{
    return sqrtf(x * x + y * y + z * z) - r;
}

static __device__ float scene(float x, float y, float z, float r, float h)
{
    float ball = sphere(x, y, z - 3.0f, r);
    float floor_ = y + h + 0.1f * sinf(2.0f * x) * cosf(z);
    return fminf(ball, floor_);
}

static __device__ void sphere_adj(float x, float *adj_x,
                                  float y, float *adj_y,
                                  float z, float *adj_z,
                                  float r, float *adj_r, float adj_sphere)
{
    // 7:  return sqrtf(x * x + y * y + z * z) - r
    if (adj_sphere != 0.0f) {
        float g = 0.5f * adj_sphere * rsqrtf(x * x + y * y + z * z);
        *adj_x += 2.0f * x * g;
        *adj_y += 2.0f * y * g;
        *adj_z += 2.0f * z * g;
    }
    *adj_r -= adj_sphere;
}

static __device__ void scene_adj(float x, float *adj_x,
                                 float y, float *adj_y,
                                 float z, float *adj_z,
                                 float r, float *adj_r,
                                 float h, float *adj_h, float adj_scene)
{
    float result;
    float ball = sphere(x, y, z - 3.0f, r);
    float floor_ = y + h + 0.1f * sinf(2.0f * x) * cosf(z);
    result = fminf(ball, floor_);
    float adj_floor_ = 0.0f;
    float adj_ball = 0.0f;

    // 14:  return fminf(ball, floor_)
    if (result == ball)
        adj_ball = adj_scene;
    else
        adj_floor_ = adj_scene;

    // 13:  float floor_ = y + h + 0.1f * sinf(2.0f * x) * cosf(z)
    *adj_y += adj_floor_;
    *adj_h += adj_floor_;
    *adj_x += 0.1f * 2.0f * cosf(z) * cosf(2.0f * x) * adj_floor_;
    *adj_z -= 0.1f * sinf(2.0f * x) * sinf(z) * adj_floor_;

    // 12:  float ball = sphere(x, y, z - 3.0f, r)
    float adj_z_2 = 0.0f;
    sphere_adj(x, adj_x, y, adj_y, z - 3.0f, &adj_z_2, r, adj_r, adj_ball);
    *adj_z += adj_z_2;
}

extern "C" __global__ void raymarch_adj(const float *radius, float *adj_radius,
                                        const float *height, float *adj_height,
                                        float *depth, const float *adj_depth, int width, int rows)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    float adj_height_sum = 0.0f;
    if (px < width && py < rows) {
        // ---- forward sweep ------------------------------------------------------

        float u = (px + 0.5f) / width - 0.5f;
        float v = (py + 0.5f) / rows - 0.5f;
        float len = sqrtf(u * u + v * v + 1.0f);
        float dx = u / len;
        float dy = v / len;
        float dz = 1.0f / len;

        float t = 0.0f;
        int trips = 0;
        int left_by = 0;
        float tape_t[MAX_STEPS];
        for (int s = 0; s < MAX_STEPS; ++s) {
            tape_t[s] = t;
            ++trips;
            float d = scene(t * dx, t * dy, t * dz, radius[px], height[0]);
            if (d < 1e-3f) {
                left_by = 1;
                break;
            }
            t += d;
            if (t > 20.0f) {
                left_by = 2;
                break;
            }
        }

        // ---- reverse sweep ------------------------------------------------------

        // 40:  depth[py * width + px] = t
        float adj_t = adj_depth[py * width + px];
        float adj_radius_sum = 0.0f;
        for (int s = trips - 1; s >= 0; --s) {
            float t = tape_t[s];
            float adj_d = 0.0f;
            if (!(s == trips - 1 && left_by == 1)) {
                if (s == trips - 1 && left_by == 2) {
                    // 36:  t = 20.0f
                    adj_t = 0.0f;
                }

                // 34:  t += d
                adj_d = adj_t;
            }

            // 31:  float d = scene(t * dx, t * dy, t * dz, radius[px], height[0])
            float adj_x = 0.0f;
            float adj_y = 0.0f;
            float adj_z = 0.0f;
            float adj_r = 0.0f;
            float adj_h = 0.0f;
            scene_adj(t * dx, &adj_x, t * dy, &adj_y, t * dz, &adj_z, radius[px], &adj_r, height[0],
                      &adj_h, adj_d);
            adj_t += dx * adj_x + dy * adj_y + dz * adj_z;
            adj_radius_sum += adj_r;
            adj_height_sum += adj_h;
        }
        // what the iterations owe, added once
        if (adj_radius_sum != 0.0f)
            atomicAdd(&adj_radius[px], adj_radius_sum);
    }
    block_add(&adj_height[0], adj_height_sum);
}
