// splat_image_adj: adjoint of splat_image (splat_image.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform splat_image.cu --of image --wrt centre,width,opacity,colour
//
// Call with centre, width, opacity and colour as they were before splat_image. Seed
// adj_image with dJ/dimage: it is left alone, because splat_image stores each element
// of image at most once. dJ/dcentre is added to adj_centre; dJ/dwidth is added to
// adj_width; dJ/dopacity is added to adj_opacity; dJ/dcolour is added to adj_colour.
// image is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   light (line 16)         tape_light_2[(points + BATCH - 1) / BATCH], global memory   line 28 changes it in
//                                                                                       each iteration
//   light (line 24)         tape_light[16], registers                                   line 28 changes it in
//                                                                                       each iteration
//   k                       inverted                                                    each iteration adds 1
//   trips of line 24        trips, a register                                           the loop decides in its
//                                                                                       iterations when it ends
//   d, alpha                recomputed                                                  from values at hand, in
//                                                                                       the reversed iteration
//   s[..], o[..], rgb[..]   reloaded                                                    no later store goes to
//                                                                                       it
//
// How adjoints are added up:
//   adj_centre[..]    atomicAdd           every block reads the same centre[first + t]
//   adj_width[..]     atomicAdd           every block reads the same width[first + t]
//   adj_opacity[..]   atomicAdd           every block reads the same opacity[first + t]
//   adj_colour[..]    atomicAdd           every block reads the same colour[first + t]
//   adj_c[..]         reduced per block   every thread reads the same c[k]
//   adj_s[..]         reduced per block   every thread reads the same s[k]
//   adj_o[..]         reduced per block   every thread reads the same o[k]
//   adj_rgb[..]       reduced per block   every thread reads the same rgb[k]
//
// Extra memory: a tape of (((long long)points + BATCH - 1) / BATCH) * sizeof(float)
// bytes (tape_light_2) per thread, in global memory; splat_image_adj_tape_bytes(grid,
// block, points, pixels) says how many in all.
//
// Assumed: the launch is 1-D, no two threads store the same image[i], arrays don't
// overlap, no index wraps.

#define BATCH 16

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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t splat_image_adj_tape_bytes(dim3 grid, dim3 block, int points, int pixels)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_light_2
    bytes += (threads
              * (((long long)points + BATCH - 1) / BATCH > 0
                 ? ((long long)points + BATCH - 1) / BATCH : 0) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void splat_image_adj(const float *__restrict__ centre,
                                           float *__restrict__ adj_centre,
                                           const float *__restrict__ width,
                                           float *__restrict__ adj_width,
                                           const float *__restrict__ opacity,
                                           float *__restrict__ adj_opacity,
                                           const float *__restrict__ colour,
                                           float *__restrict__ adj_colour,
                                           float *__restrict__ image,
                                           const float *__restrict__ adj_image, int points,
                                           int pixels, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_light_2 = (float *)(tape + 16) + thread;
    __shared__ float c[BATCH];
    __shared__ float adj_c[BATCH];
    __shared__ float s[BATCH];
    __shared__ float adj_s[BATCH];
    __shared__ float o[BATCH];
    __shared__ float adj_o[BATCH];
    __shared__ float rgb[BATCH];
    __shared__ float adj_rgb[BATCH];
    for (int q = threadIdx.x; q < BATCH; q += blockDim.x)
        adj_c[q] = 0.0f;
    for (int q = threadIdx.x; q < BATCH; q += blockDim.x)
        adj_s[q] = 0.0f;
    for (int q = threadIdx.x; q < BATCH; q += blockDim.x)
        adj_o[q] = 0.0f;
    for (int q = threadIdx.x; q < BATCH; q += blockDim.x)
        adj_rgb[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * BATCH + threadIdx.x;
    int t = threadIdx.x;
    float light = 1.0f;
    for (int first = 0; first < points; first += BATCH) {
        tape_light_2[first / BATCH * threads] = light;
        if (first + t < points) {
            c[t] = centre[first + t];
            s[t] = width[first + t];
            o[t] = opacity[first + t];
        }
        __syncthreads();
        for (int k = 0; k < BATCH && first + k < points; ++k) {
            float d = (i * 0.1f - c[k]) / s[k];
            float alpha = o[k] * expf(-0.5f * d * d);
            light *= 1.0f - alpha;
        }
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    if (i < pixels) {
        // 33:  image[i] = sum
        adj_sum = adj_image[i];
    }
    float adj_light = 0.0f;
    for (int first = (points + 15) / BATCH * BATCH - 16; first >= 0; first -= BATCH) {
        float light = tape_light_2[first / BATCH * threads];
        if (first + t < points) {
            c[t] = centre[first + t];
            s[t] = width[first + t];
            o[t] = opacity[first + t];
            rgb[t] = colour[first + t];
        }
        __syncthreads();
        int trips = 0;
        float tape_light[16];
        for (int k = 0; k < BATCH && first + k < points; ++k) {
            tape_light[trips] = light;
            float d = (i * 0.1f - c[k]) / s[k];
            float alpha = o[k] * expf(-0.5f * d * d);
            light *= 1.0f - alpha;
            ++trips;
        }
        for (int trip = trips - 1; trip >= 0; --trip) {
            float light = tape_light[trip];
            float d = (i * 0.1f - c[trip]) / s[trip];
            float alpha = o[trip] * expf(-0.5f * d * d);

            // 28:  light *= 1.0f - alpha
            float adj_alpha = -(light * adj_light);
            adj_light *= 1.0f - alpha;

            // 27:  sum += light * alpha * rgb[k]
            float g = rgb[trip] * adj_sum;
            adj_light += alpha * g;
            adj_alpha += light * g;
            block_add(&adj_rgb[trip], light * alpha * adj_sum);

            // 26:  float alpha = o[k] * expf(-0.5f * d * d)
            block_add(&adj_o[trip], expf(-0.5f * d * d) * adj_alpha);

            // 25:  float d = (i * 0.1f - c[k]) / s[k]
            float g_2 = -o[trip] * expf(-0.5f * d * d) * d * adj_alpha / s[trip];
            block_add(&adj_c[trip], -g_2);
            block_add(&adj_s[trip], -d * g_2);
        }
        __syncthreads();
        if (first + t < points) {
            // 21:  rgb[t] = colour[first + t]
            atomicAdd(&adj_colour[first + t], adj_rgb[t]);
            adj_rgb[t] = 0.0f;

            // 20:  o[t] = opacity[first + t]
            atomicAdd(&adj_opacity[first + t], adj_o[t]);
            adj_o[t] = 0.0f;

            // 19:  s[t] = width[first + t]
            atomicAdd(&adj_width[first + t], adj_s[t]);
            adj_s[t] = 0.0f;

            // 18:  c[t] = centre[first + t]
            atomicAdd(&adj_centre[first + t], adj_c[t]);
            adj_c[t] = 0.0f;
        }
    }
}
