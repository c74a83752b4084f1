// trace_adj: adjoint of trace (ray_sphere.cu:20).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform ray_sphere.cu --of depth --wrt spheres,sun
//
// Call with spheres as it was before trace. Seed adj_depth with dJ/ddepth: it is left
// alone, because trace stores each element of depth at most once. dJ/dspheres is added
// to adj_spheres; dJ/dsun is added to adj_sun. depth is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   eye.x, eye.y, eye.z,       reloaded     still in its variable
//   ray.x, ray.y, ray.z
//   to.x, to.y, to.z, along,   recomputed   from values at hand, in the reversed
//                                           iteration
//   gap, self.x, self.y,
//   self.z, s, normal.x,
//   normal.y, normal.z
//   spheres[..].radius         reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_spheres[..].centre.x   reduced per block   every thread reads x and o.x
//   adj_spheres[..].centre.y   reduced per block   every thread reads y and o.y
//   adj_spheres[..].centre.z   reduced per block   every thread reads z and o.z
//   adj_spheres[..].radius     reduced per block   every thread reads the same
//                                                  spheres[k].radius
//   adj_sun.x                  reduced per block   every thread has its share in it
//   adj_sun.y                  reduced per block   every thread has its share in it
//   adj_sun.z                  reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Vec3 {
    float x, y, z;
};
struct Sphere {
    Vec3 centre;
    float radius;
};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

__global__ void trace_adj(const Sphere *spheres, Sphere *adj_spheres,
                          Vec3 sun, Vec3 *adj_sun,
                          float *depth, const float *adj_depth, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_sun_z_sum = 0.0f;
    float adj_sun_y_sum = 0.0f;
    float adj_sun_x_sum = 0.0f;
    Vec3 eye;
    Vec3 ray;
    float adj_light;
    if (i < n) {
        eye.x = 0.0f;
        eye.y = 0.0f;
        eye.z = -4.0f;
        Vec3 self = {i % width * 0.1f - 0.7f, i / width * 0.1f - 0.3f, 2.0f};
        float s = 1.0f / sqrtf(self.x * self.x + self.y * self.y + self.z * self.z);
        ray.x = s * self.x;
        ray.y = s * self.y;
        ray.z = s * self.z;

        // 38:  depth[i] = light
        adj_light = adj_depth[i];
    }
    for (int k = 0; k < 3; ++k) {
        float adj_spheres_centre_z_sum = 0.0f;
        float adj_spheres_centre_y_sum = 0.0f;
        float adj_spheres_centre_x_sum = 0.0f;
        float adj_spheres_radius_sum = 0.0f;
        if (i < n) {
            Vec3 to = {spheres[k].centre.x - eye.x, spheres[k].centre.y - eye.y,
                       spheres[k].centre.z - eye.z};
            float along = to.x * ray.x + to.y * ray.y + to.z * ray.z;
            float gap = spheres[k].radius * spheres[k].radius
                        - (to.x * to.x + to.y * to.y + to.z * to.z) + along * along;
            float adj_gap = 0.0f;
            float adj_along = 0.0f;
            if (gap > 0.0f) {
                float s = along - sqrtf(gap);
                Vec3 hit = {eye.x + s * ray.x, eye.y + s * ray.y, eye.z + s * ray.z};
                Vec3 self = {hit.x - spheres[k].centre.x, hit.y - spheres[k].centre.y,
                             hit.z - spheres[k].centre.z};
                float s_2 = 1.0f / sqrtf(self.x * self.x + self.y * self.y + self.z * self.z);
                Vec3 normal = {s_2 * self.x, s_2 * self.y, s_2 * self.z};

                // 35:  light += normal.dot(sun) / (1.0f + along)
                float g = adj_light / (1.0f + along);
                Vec3 adj_normal;
                adj_normal.x = sun.x * g;
                adj_sun_x_sum += normal.x * g;
                adj_normal.y = sun.y * g;
                adj_sun_y_sum += normal.y * g;
                adj_normal.z = sun.z * g;
                adj_sun_z_sum += normal.z * g;
                adj_along = -((normal.x * sun.x + normal.y * sun.y + normal.z * sun.z)
                              / (1.0f + along) * g);

                // 34:  Vec3 normal = (hit - spheres[k].centre).unit()
                Vec3 adj_self = {s_2 * adj_normal.x, s_2 * adj_normal.y, s_2 * adj_normal.z};

                // 12:  1.0f / length()
                float g_2 = -(s_2 * s_2
                              * (self.z * adj_normal.z + self.y * adj_normal.y
                                 + self.x * adj_normal.x));
                if (g_2 != 0.0f) {
                    float g = 0.5f * g_2
                              * rsqrtf(self.x * self.x + self.y * self.y + self.z * self.z);
                    adj_self.x += 2.0f * self.x * g;
                    adj_self.y += 2.0f * self.y * g;
                    adj_self.z += 2.0f * self.z * g;
                }

                // 34:  hit - spheres[k].centre
                adj_spheres_centre_z_sum = -adj_self.z;
                adj_spheres_centre_y_sum = -adj_self.y;
                adj_spheres_centre_x_sum = -adj_self.x;

                // 33:  Vec3 hit = eye + ray * (along - sqrtf(gap))
                float adj_s = ray.z * adj_self.z + ray.y * adj_self.y + ray.x * adj_self.x;

                // 33:  along - sqrtf(gap)
                adj_along += adj_s;
                if (adj_s != 0.0f)
                    adj_gap = -(0.5f * adj_s * rsqrtf(gap));
            }

            // 31:  float gap = spheres[k].radius * spheres[k].radius - to.dot(to) + along * along
            adj_spheres_radius_sum = 2.0f * spheres[k].radius * adj_gap;
            Vec3 adj_to = {-2.0f * to.x * adj_gap, -2.0f * to.y * adj_gap, -2.0f * to.z * adj_gap};
            adj_along += 2.0f * along * adj_gap;

            // 30:  float along = to.dot(ray)
            adj_to.x += ray.x * adj_along;
            adj_to.y += ray.y * adj_along;
            adj_to.z += ray.z * adj_along;

            // 29:  Vec3 to = spheres[k].centre - eye
            adj_spheres_centre_z_sum += adj_to.z;
            adj_spheres_centre_y_sum += adj_to.y;
            adj_spheres_centre_x_sum += adj_to.x;
        }
        block_add(&adj_spheres[k].centre.x, adj_spheres_centre_x_sum);
        block_add(&adj_spheres[k].centre.y, adj_spheres_centre_y_sum);
        block_add(&adj_spheres[k].centre.z, adj_spheres_centre_z_sum);
        block_add(&adj_spheres[k].radius, adj_spheres_radius_sum);
    }
    block_add(&adj_sun->x, adj_sun_x_sum);
    block_add(&adj_sun->y, adj_sun_y_sum);
    block_add(&adj_sun->z, adj_sun_z_sum);
}
