// shade_adj: adjoint of shade (sphere_shading.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sphere_shading.cu --of image --wrt spheres,origins
//
// Call with spheres and origins as they were before shade. adj_image comes in as
// dJ/dimage after shade and goes out as dJ/dimage before it, element by element.
// dJ/dspheres is added to adj_spheres; dJ/dorigins is added to adj_origins. image is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   o.x, o.y, o.z, d.x, d.y,   reloaded                          still in its variable
//   d.z, best (line 24), s,
//   n.z, lambert
//   best (line 24)             tape_best[count], global memory   line 30 changes it in
//                                                                each iteration
//   oc.x, oc.y, oc.z, b,       recomputed                        from values at hand, in
//                                                                the reversed iteration
//   disc, t
//   spheres[..].radius,        reloaded                          nothing stores to it
//   spheres[..].center.z,
//   spheres[..].albedo
//
// How adjoints are added up:
//   adj_origins[..]            reduced per block   every thread reads origins[0],
//                                                  origins[1] and origins[2]
//   adj_spheres[..].center.x   reduced per block   every thread reads the same o.x
//   adj_spheres[..].center.y   reduced per block   every thread reads the same o.y
//   adj_spheres[..].center.z   reduced per block   every thread reads the same o.z
//   adj_spheres[..].center.z   atomicAdd           other threads add to
//                                                  spheres[hit].center.z too
//   adj_spheres[..].radius     reduced per block   every thread reads the same
//                                                  spheres[s].radius
//   adj_spheres[..].radius     atomicAdd           other threads add to
//                                                  spheres[hit].radius too
//   adj_spheres[..].albedo     atomicAdd           not proved that two threads never
//                                                  meet in spheres[hit].albedo[k]
//   adj_image[..]              +=, one owner       one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of count * sizeof(float) bytes (tape_best) per thread, in global
// memory; shade_adj_tape_bytes(grid, block, count, width, height) says how many in all.
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

struct Vec3 {
    float x, y, z;
};
struct Sphere { Vec3 center; float radius; float albedo[3]; };

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
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
    __syncthreads();  // the sums of the last call have been read
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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t shade_adj_tape_bytes(dim3 grid, dim3 block, int count, int width, int height)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (count > 0 ? count : 0) * sizeof(float) + 15) / 16 * 16;  // tape_best
    return bytes;
}
#endif

__global__ void shade_adj(const Sphere *spheres, Sphere *adj_spheres, int count,
                          const float *origins, float *adj_origins,
                          float *image, float *adj_image, int width, int height, char *tape)
{
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    float *tape_best = (float *)(tape + 16) + thread;
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    Vec3 adj_o = {};
    Vec3 o;
    Vec3 d;
    float adj_best;
    if (px < width && py < height) {
        // ---- forward sweep ------------------------------------------------------

        o.x = origins[0];
        o.y = origins[1];
        o.z = origins[2];
        d.x = px - 0.5f * width;
        d.y = py - 0.5f * height;
        d.z = -(float)height;
        float s = 1.0f / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
        d.x = d.x * s;
        d.y = d.y * s;
        d.z = d.z * s;
        float best = 1e30f;
        int hit = -1;
        for (int s = 0; s < count; ++s) {
            tape_best[s * threads] = best;
            Vec3 oc = {o.x - spheres[s].center.x, o.y - spheres[s].center.y,
                       o.z - spheres[s].center.z};
            float b = oc.x * d.x + oc.y * d.y + oc.z * d.z;
            float c = oc.x * oc.x + oc.y * oc.y + oc.z * oc.z
                      - spheres[s].radius * spheres[s].radius;
            float disc = b * b - c;
            if (disc > 0.0f) {
                float t = -b - sqrtf(disc);
                if (t > 0.0f && t < best) {
                    best = t;
                    hit = s;
                }
            }
        }

        // ---- reverse sweep ------------------------------------------------------

        adj_best = 0.0f;
        if (hit >= 0) {
            float s = 1.0f / spheres[hit].radius;
            Vec3 n;
            n.z = (o.z + d.z * best - spheres[hit].center.z) * s;
            float lambert = fmaxf(n.z, 0.0f);
            float adj_lambert = 0.0f;
            for (int k = 0; k < 3; ++k) {
                // 37:  pixel[k] = spheres[hit].albedo[k] * lambert
                float g = adj_image[3 * (py * width + px) + k];
                atomicAdd(&adj_spheres[hit].albedo[k], lambert * g);
                adj_lambert += spheres[hit].albedo[k] * g;
                adj_image[3 * (py * width + px) + k] = 0.0f;
            }
            Vec3 adj_n = {};

            // 36:  float lambert = fmaxf(n.z, 0.0f)
            if (n.z >= 0.0f)
                adj_n.z = adj_lambert;

            // 35:  Vec3 n = (o + d * best - spheres[hit].center) * (1.0f / spheres[hit].radius)
            float g = s * adj_n.z;
            adj_o.z = g;
            adj_best += d.z * g;
            atomicAdd(&adj_spheres[hit].center.z, -g);

            // 35:  1.0f / spheres[hit].radius
            atomicAdd(&adj_spheres[hit].radius,
                      -s * s * (o.z + d.z * best - spheres[hit].center.z) * adj_n.z);
        } else {
            // 39:  pixel[0] = pixel[1] = pixel[2] = 0.1f
            float g = adj_image[3 * (py * width + px)];
            adj_image[3 * (py * width + px)] = 0.0f;
            adj_image[3 * (py * width + px) + 1] += g;

            // 39:  pixel[1] = pixel[2] = 0.1f
            float g_2 = adj_image[3 * (py * width + px) + 1];
            adj_image[3 * (py * width + px) + 1] = 0.0f;
            adj_image[3 * (py * width + px) + 2] += g_2;

            // 39:  pixel[2] = 0.1f
            adj_image[3 * (py * width + px) + 2] = 0.0f;
        }
    }
    for (int s = count - 1; s >= 0; --s) {
        float adj_spheres_radius_sum = 0.0f;
        float adj_spheres_center_z_sum = 0.0f;
        float adj_spheres_center_y_sum = 0.0f;
        float adj_spheres_center_x_sum = 0.0f;
        if (px < width && py < height) {
            float best = tape_best[s * threads];
            float oc_x = o.x - spheres[s].center.x;
            float oc_y = o.y - spheres[s].center.y;
            float oc_z = o.z - spheres[s].center.z;
            float b = oc_x * d.x + oc_y * d.y + oc_z * d.z;
            float c = oc_x * oc_x + oc_y * oc_y + oc_z * oc_z
                      - spheres[s].radius * spheres[s].radius;
            float disc = b * b - c;
            float adj_disc = 0.0f;
            float adj_b = 0.0f;
            if (disc > 0.0f) {
                float t = -b - sqrtf(disc);
                float adj_t = 0.0f;
                if (t > 0.0f && t < best) {
                    // 30:  best = t
                    adj_t = adj_best;
                    adj_best = 0.0f;
                }

                // 29:  float t = -b - sqrtf(disc)
                adj_b = -adj_t;
                if (adj_t != 0.0f)
                    adj_disc = -(0.5f * adj_t * rsqrtf(disc));
            }

            // 27:  float disc = b * b - c
            adj_b += 2.0f * b * adj_disc;
            float adj_c = -adj_disc;

            // 26:  c = oc.dot(oc) - spheres[s].radius * spheres[s].radius
            Vec3 adj_oc = {2.0f * oc_x * adj_c, 2.0f * oc_y * adj_c, 2.0f * oc_z * adj_c};
            adj_spheres_radius_sum = -2.0f * spheres[s].radius * adj_c;

            // 26:  float b = oc.dot(d)
            adj_oc.x += d.x * adj_b;
            adj_oc.y += d.y * adj_b;
            adj_oc.z += d.z * adj_b;

            // 25:  Vec3 oc = o - spheres[s].center
            adj_o.z += adj_oc.z;
            adj_spheres_center_z_sum = -adj_oc.z;
            adj_o.y += adj_oc.y;
            adj_spheres_center_y_sum = -adj_oc.y;
            adj_o.x += adj_oc.x;
            adj_spheres_center_x_sum = -adj_oc.x;
        }
        block_add(&adj_spheres[s].center.x, adj_spheres_center_x_sum);
        block_add(&adj_spheres[s].center.y, adj_spheres_center_y_sum);
        block_add(&adj_spheres[s].center.z, adj_spheres_center_z_sum);
        block_add(&adj_spheres[s].radius, adj_spheres_radius_sum);
    }

    // 20:  Vec3 o(origins[0], origins[1], origins[2])
    block_add(&adj_origins[2], adj_o.z);
    block_add(&adj_origins[1], adj_o.y);
    block_add(&adj_origins[0], adj_o.x);
}
