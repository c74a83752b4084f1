// splat_points_adj: adjoint of splat_points (splat_points.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform splat_points.cu --of pixel --wrt px,colour --assume launch:1d
//
// Call with px and colour as they were before splat_points. Seed adj_pixel with
// dJ/dpixel: it is left alone, because splat_points only adds to pixel. dJ/dpx is added
// to adj_px; dJ/dcolour is added to adj_colour. pixel is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   j, d, weight   recomputed   from values at hand, in the reversed iteration
//   colour[..]     reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_px[..]       +=, one owner   one thread per element
//   adj_colour[..]   +=, one owner   one thread per element
//
// Assumed: arrays don't overlap, no index wraps, launch:1d.

#define RADIUS 2

extern "C" __global__ void splat_points_adj(const float *px, float *adj_px,
                                            const float *colour, float *adj_colour,
                                            float *pixel, const float *adj_pixel, int points,
                                            int width)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_px[0] = nanf("");
        adj_colour[0] = nanf("");
        return;
    }
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points)
        return;
    int centre = (int)floorf(px[p]);
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        int j = centre + k;
        if (!(j < 0 || j >= width)) {
            float d = px[p] - j;
            float weight = expf(-0.5f * d * d);

            // 17:  atomicAdd(&pixel[j], weight * colour[p])
            float g = adj_pixel[j];
            adj_colour[p] += weight * g;

            // 15:  float d = px[p] - j
            adj_px[p] -= weight * d * colour[p] * g;
        }
    }
}
