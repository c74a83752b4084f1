// bilinear_adj: adjoint of bilinear (bilinear.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bilinear.cu --of out --wrt image,u,v
//
// Call with image, u and v as they were before bilinear. Seed adj_out with dJ/dout: it
// is left alone, because bilinear stores each element of out at most once. dJ/dimage is
// added to adj_image; dJ/du is added to adj_u; dJ/dv is added to adj_v. out is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   fx, fy, top, bottom   reloaded   still in its variable
//   image[..]             reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]       +=, one owner   one thread per element
//   adj_v[..]       +=, one owner   one thread per element
//   adj_image[..]   atomicAdd       not proved that two threads never meet in image[y0
//                                   * width + x0], image[y0 * width + x1], image[y1 *
//                                   width + x0] and image[y1 * width + x1]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void bilinear_adj(const float *image, float *adj_image, int width, int height,
                                        const float *u, float *adj_u,
                                        const float *v, float *adj_v,
                                        float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = u[i] * (width - 1);
    float y = v[i] * (height - 1);
    int x0 = (int)floorf(x);
    int y0 = (int)floorf(y);
    int x1 = min(x0 + 1, width - 1);
    int y1 = min(y0 + 1, height - 1);
    float fx = x - x0;
    float fy = y - y0;
    float top = (1.0f - fx) * image[y0 * width + x0] + fx * image[y0 * width + x1];
    float bottom = (1.0f - fx) * image[y1 * width + x0] + fx * image[y1 * width + x1];

    // 16:  out[i] = (1.0f - fy) * top + fy * bottom
    float g = adj_out[i];
    float adj_top = (1.0f - fy) * g;
    float adj_bottom = fy * g;

    // 10:  float y = v[i] * (height - 1)
    adj_v[i] += (height - 1) * (bottom - top) * g;

    // 15:  float bottom = (1.0f - fx) * image[y1 * width + x0] + fx * image[y1 * width + x1]
    float adj_fx = (image[y1 * width + x1] - image[y1 * width + x0]) * adj_bottom;
    atomicAdd(&adj_image[y1 * width + x0], (1.0f - fx) * adj_bottom);
    atomicAdd(&adj_image[y1 * width + x1], fx * adj_bottom);

    // 14:  float top = (1.0f - fx) * image[y0 * width + x0] + fx * image[y0 * width + x1]
    adj_fx += (image[y0 * width + x1] - image[y0 * width + x0]) * adj_top;
    atomicAdd(&adj_image[y0 * width + x0], (1.0f - fx) * adj_top);
    atomicAdd(&adj_image[y0 * width + x1], fx * adj_top);

    // 9:  float x = u[i] * (width - 1)
    adj_u[i] += (width - 1) * adj_fx;
}
