// splat_adj: adjoint of splat (splat.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform splat.cu --of image --wrt mx,my,conic,opacity,color
//
// Call with mx, my, conic, opacity and color as they were before splat. Seed adj_image
// with dJ/dimage: it is left alone, because splat stores each element of image at most
// once. dJ/dmx is added to adj_mx; dJ/dmy is added to adj_my; dJ/dconic is added to
// adj_conic; dJ/dopacity is added to adj_opacity; dJ/dcolor is added to adj_color.
// image is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   light                     tape_light[count], global memory   line 25 changes it in
//                                                                each iteration
//   trips of line 13          trips, a register                  the loop decides in its
//                                                                iterations when it ends
//   dx, dy, power, alpha      recomputed                         from values at hand, in
//                                                                the reversed iteration
//   conic[..], opacity[..],   reloaded                           nothing stores to it
//   color[..]
//
// How adjoints are added up:
//   adj_mx[..]        atomicAdd   every thread reads the same mx[g]
//   adj_my[..]        atomicAdd   every thread reads the same my[g]
//   adj_conic[..]     atomicAdd   every thread reads conic[3 * g], conic[3 * g + 2] and
//                                 conic[3 * g + 1]
//   adj_opacity[..]   atomicAdd   every thread reads the same opacity[g]
//   adj_color[..]     atomicAdd   every thread reads the same color[g]
//
// At kinks and singular points:
//   fminf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of count * sizeof(float) bytes (tape_light) per thread, in
// global memory; splat_adj_tape_bytes(grid, block, count, width, height) says how many
// in all.
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t splat_adj_tape_bytes(dim3 grid, dim3 block, int count, int width, int height)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (count > 0 ? count : 0) * sizeof(float) + 15) / 16 * 16;  // tape_light
    return bytes;
}
#endif

extern "C" __global__ void splat_adj(const float *mx, float *adj_mx,
                                     const float *my, float *adj_my,
                                     const float *conic, float *adj_conic,
                                     const float *opacity, float *adj_opacity,
                                     const float *color, float *adj_color,
                                     float *image, const float *adj_image, int count, int width,
                                     int height, char *tape)
{
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    float *tape_light = (float *)(tape + 16) + thread;
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;

    // ---- forward sweep ------------------------------------------------------

    float light = 1.0f;
    int trips = 0;
    int left_by = 0;
    for (int g = 0; g < count; g++) {
        tape_light[g * threads] = light;
        ++trips;
        float dx = px - mx[g];
        float dy = py - my[g];
        float power = -0.5f * (conic[3 * g] * dx * dx + conic[3 * g + 2] * dy * dy)
                      - conic[3 * g + 1] * dx * dy;
        if (!(power > 0.0f)) {
            float alpha = fminf(0.99f, opacity[g] * expf(power));
            if (!(alpha < 1.0f / 255.0f)) {
                float rest = light * (1.0f - alpha);
                if (rest < 0.05f) {
                    left_by = 1;
                    break;
                }
                light = rest;
            }
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    // 27:  image[py * width + px] = sum + 0.2f * light
    float g = adj_image[py * width + px];
    float adj_light = 0.2f * g;
    for (int g_2 = trips - 1; g_2 >= 0; --g_2) {
        float light = tape_light[g_2 * threads];
        float dx = px - mx[g_2];
        float dy = py - my[g_2];
        float power = -0.5f * (conic[3 * g_2] * dx * dx + conic[3 * g_2 + 2] * dy * dy)
                      - conic[3 * g_2 + 1] * dx * dy;
        float adj_power = 0.0f;
        if (!(power > 0.0f)) {
            float alpha = fminf(0.99f, opacity[g_2] * expf(power));
            float adj_alpha = 0.0f;
            if (!(alpha < 1.0f / 255.0f)) {
                float adj_rest = 0.0f;
                if (!(g_2 == trips - 1 && left_by == 1)) {
                    // 25:  light = rest
                    adj_rest = adj_light;

                    // 24:  sum += color[g] * alpha * light
                    float g_3 = light * g;
                    atomicAdd(&adj_color[g_2], alpha * g_3);
                    adj_alpha = color[g_2] * g_3;
                    adj_light = color[g_2] * alpha * g;
                }

                // 21:  float rest = light * (1.0f - alpha)
                adj_light += (1.0f - alpha) * adj_rest;
                adj_alpha -= light * adj_rest;
            }

            // 18:  float alpha = fminf(0.99f, opacity[g] * expf(power))
            if (opacity[g_2] * expf(power) < 0.99f) {
                atomicAdd(&adj_opacity[g_2], expf(power) * adj_alpha);
                adj_power = opacity[g_2] * expf(power) * adj_alpha;
            }
        }

        // 15:  float power = -0.5f * (conic[3 * g] * dx * dx + conic[3 * g + 2] * dy * dy) -
        //      conic[3 * g + 1] * dx * dy
        float g = -0.5f * adj_power;
        atomicAdd(&adj_conic[3 * g_2], dx * dx * g);
        float adj_dx = 2.0f * conic[3 * g_2] * dx * g;
        atomicAdd(&adj_conic[3 * g_2 + 2], dy * dy * g);
        float g_3 = -(dy * adj_power);
        atomicAdd(&adj_conic[3 * g_2 + 1], dx * g_3);
        adj_dx += conic[3 * g_2 + 1] * g_3;

        // 14:  dy = py - my[g]
        atomicAdd(&adj_my[g_2],
                  -(2.0f * conic[3 * g_2 + 2] * dy * g - conic[3 * g_2 + 1] * dx * adj_power));
        // 14:  float dx = px - mx[g]
        atomicAdd(&adj_mx[g_2], -adj_dx);
    }
}
