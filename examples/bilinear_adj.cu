// bilinear_adj: adjoint of bilinear (bilinear.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bilinear.cu --of sample --wrt image,u,v
//
// Call with image, u and v as they were before bilinear. Seed adj_sample with
// dJ/dsample: it is left alone, because bilinear stores each element of sample at most
// once. dJ/dimage is added to adj_image; dJ/du is added to adj_u; dJ/dv is added to
// adj_v. sample is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x, y, fx, fy, top,        reloaded   still in its variable
//   bottom
//   u[..], v[..], image[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]       +=, one owner   one thread per element
//   adj_v[..]       +=, one owner   one thread per element
//   adj_image[..]   atomicAdd       not proved that two threads never meet in
//                                   image[corner], image[corner + 1], image[corner +
//                                   width] and image[corner + width + 1]
//
// At kinks and singular points:
//   fminf: at a tie the first argument takes the whole adjoint
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void bilinear_adj(const float *image, float *adj_image, int width, int height,
                                        const float *u, float *adj_u,
                                        const float *v, float *adj_v,
                                        float *sample, const float *adj_sample, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float x = fminf(fmaxf(u[i], 0.0f), width - 1.0f);
    float y = fminf(fmaxf(v[i], 0.0f), height - 1.0f);
    int x0 = min((int)floorf(x), width - 2);
    int y0 = min((int)floorf(y), height - 2);
    float fx = x - x0;
    float fy = y - y0;

    const int corner = y0 * width + x0;
    float top = (1.0f - fx) * image[corner] + fx * image[corner + 1];
    float bottom = (1.0f - fx) * image[corner + width] + fx * image[corner + width + 1];

    // 20:  sample[i] = (1.0f - fy) * top + fy * bottom
    float g = adj_sample[i];
    float adj_top = (1.0f - fy) * g;
    float adj_bottom = fy * g;

    // 19:  float bottom = (1.0f - fx) * image[corner + width] + fx * image[corner + width + 1]
    float adj_fx = (image[corner + width + 1] - image[corner + width]) * adj_bottom;
    atomicAdd(&adj_image[corner + width], (1.0f - fx) * adj_bottom);
    atomicAdd(&adj_image[corner + width + 1], fx * adj_bottom);

    // 18:  float top = (1.0f - fx) * image[corner] + fx * image[corner + 1]
    adj_fx += (image[corner + 1] - image[corner]) * adj_top;
    atomicAdd(&adj_image[corner], (1.0f - fx) * adj_top);
    atomicAdd(&adj_image[corner + 1], fx * adj_top);

    // 11:  float y = fminf(fmaxf(v[i], 0.0f), height - 1.0f)
    if (y == fmaxf(v[i], 0.0f) && v[i] >= 0.0f)
        adj_v[i] += (bottom - top) * g;
    // 10:  float x = fminf(fmaxf(u[i], 0.0f), width - 1.0f)
    if (x == fmaxf(u[i], 0.0f) && u[i] >= 0.0f)
        adj_u[i] += adj_fx;
}
