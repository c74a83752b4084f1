// ray_sphere_adj: adjoint of ray_sphere (ray_sphere.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform ray_sphere.cu --of t,shade --wrt cx,cy,cz,r
//
// Call with cx, cy, cz and r as they were before ray_sphere. Seed adj_t with dJ/dt: it
// is left alone, because ray_sphere stores each element of t at most once. Seed
// adj_shade with dJ/dshade: it is left alone, because ray_sphere stores each element of
// shade at most once. dJ/dcx is added to adj_cx; dJ/dcy is added to adj_cy; dJ/dcz is
// added to adj_cz; dJ/dr is added to adj_r. t and shade are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   dx, dy, dz,               reloaded                            still in its variable
//   best (line 17)
//   best (line 17)            tape_best[spheres], global memory   line 25 changes it in
//                                                                 each iteration
//   b, disc, near             recomputed                          from values at hand, in
//                                                                 the reversed iteration
//   cx[..], cy[..], cz[..],   reloaded                            nothing stores to it
//   r[..]
//
// How adjoints are added up:
//   adj_cx[..]   reduced per block   every thread reads the same cx[s]
//   adj_cy[..]   reduced per block   every thread reads the same cy[s]
//   adj_cz[..]   reduced per block   every thread reads the same cz[s]
//   adj_cz[..]   atomicAdd           other threads add to cz[hit] too
//   adj_r[..]    reduced per block   every thread reads the same r[s]
//   adj_r[..]    atomicAdd           other threads add to r[hit] too
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Extra memory: a tape of spheres * sizeof(float) bytes (tape_best) per thread, in
// global memory; ray_sphere_adj_tape_bytes(grid, block, spheres, width, height) says
// how many in all.
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        value += thread + d < threads ? above : 0.0f;  // the last warp may be short
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
extern "C" size_t ray_sphere_adj_tape_bytes(dim3 grid, dim3 block, int spheres, int width,
                                            int height)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (spheres > 0 ? spheres : 0) * sizeof(float) + 15) / 16 * 16;  // tape_best
    return bytes;
}
#endif

extern "C" __global__ void ray_sphere_adj(const float *cx, float *adj_cx,
                                          const float *cy, float *adj_cy,
                                          const float *cz, float *adj_cz,
                                          const float *r, float *adj_r,
                                          float *t, const float *adj_t,
                                          float *shade, const float *adj_shade, int spheres,
                                          int width, int height, char *tape)
{
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    float *tape_best = (float *)(tape + 16) + thread;
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    float dx;
    float dy;
    float dz;
    float adj_best;
    if (px < width && py < height) {
        // ---- forward sweep ------------------------------------------------------

        dx = (2.0f * px - width) / width;
        dy = (2.0f * py - height) / height;
        float inv = rsqrtf(dx * dx + dy * dy + 1.0f);
        dx *= inv;
        dy *= inv;
        dz = inv;
        float best = 1e20f;
        int hit = -1;
        for (int s = 0; s < spheres; ++s) {
            tape_best[s * threads] = best;
            float b = dx * cx[s] + dy * cy[s] + dz * cz[s];
            float c = cx[s] * cx[s] + cy[s] * cy[s] + cz[s] * cz[s] - r[s] * r[s];
            float disc = b * b - c;
            if (!(disc < 0.0f)) {
                float near = b - sqrtf(disc);
                if (near > 0.0f && near < best) {
                    best = near;
                    hit = s;
                }
            }
        }

        // ---- reverse sweep ------------------------------------------------------

        adj_best = 0.0f;
        if (hit >= 0) {
            // 32:  shade[py * width + px] = (cz[hit] - best * dz) / r[hit]
            float g = adj_shade[py * width + px] / r[hit];
            atomicAdd(&adj_cz[hit], g);
            adj_best -= dz * g;
            atomicAdd(&adj_r[hit], -((cz[hit] - best * dz) / r[hit] * g));

            // 31:  t[py * width + px] = best
            adj_best += adj_t[py * width + px];
        }
    }
    for (int s = spheres - 1; s >= 0; --s) {
        float adj_cx_sum = 0.0f;
        float adj_cy_sum = 0.0f;
        float adj_cz_sum = 0.0f;
        float adj_r_sum = 0.0f;
        if (px < width && py < height) {
            float best = tape_best[s * threads];
            float b = dx * cx[s] + dy * cy[s] + dz * cz[s];
            float c = cx[s] * cx[s] + cy[s] * cy[s] + cz[s] * cz[s] - r[s] * r[s];
            float disc = b * b - c;
            float adj_disc = 0.0f;
            float adj_b = 0.0f;
            if (!(disc < 0.0f)) {
                float near = b - sqrtf(disc);
                float adj_near = 0.0f;
                if (near > 0.0f && near < best) {
                    // 25:  best = near
                    adj_near += adj_best;
                    adj_best = 0.0f;
                }

                // 23:  float near = b - sqrtf(disc)
                adj_b += adj_near;
                if (adj_near != 0.0f)
                    adj_disc -= 0.5f * adj_near / sqrtf(disc);
            }

            // 20:  float disc = b * b - c
            adj_b += 2.0f * b * adj_disc;
            float adj_c = -adj_disc;

            // 19:  float c = cx[s] * cx[s] + cy[s] * cy[s] + cz[s] * cz[s] - r[s] * r[s]
            adj_cx_sum += 2.0f * cx[s] * adj_c;
            adj_cy_sum += 2.0f * cy[s] * adj_c;
            adj_cz_sum += 2.0f * cz[s] * adj_c;
            adj_r_sum = -2.0f * r[s] * adj_c;

            // 18:  float b = dx * cx[s] + dy * cy[s] + dz * cz[s]
            adj_cx_sum += dx * adj_b;
            adj_cy_sum += dy * adj_b;
            adj_cz_sum += dz * adj_b;
        }
        block_add(&adj_cx[s], adj_cx_sum);
        block_add(&adj_cy[s], adj_cy_sum);
        block_add(&adj_cz[s], adj_cz_sum);
        block_add(&adj_r[s], adj_r_sum);
    }
}
