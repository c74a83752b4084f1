// flow_warp_kernel_adj: adjoint of flow_warp_kernel (flow_warp.cu:29).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform flow_warp.cu --of out --wrt image,flow
//
// Call with image and flow as they were before flow_warp_kernel. Seed adj_out with
// dJ/dout: it is left alone, because flow_warp_kernel stores each element of out at
// most once. dJ/dimage is added to adj_image; dJ/dflow is added to adj_flow. out is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   to_x, to_y, y0, x0, fy,   recomputed   from values at hand, in the reversed
//                                          iteration
//   fx, yy, xx, wy, wx
//   image[..]                 reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_flow[..]    +=, one owner   each thread has elements of its own
//   adj_image[..]   atomicAdd       not proved that two threads never meet in image[(yy
//                                   * width + xx) * channels]
//
// Of the template flow_warp_kernel this is the instance with scalar_t = float.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void flow_warp_kernel_adj(const float *__restrict__ image,
                                                float *__restrict__ adj_image,
                                                const float *__restrict__ flow,
                                                float *__restrict__ adj_flow,
                                                float *__restrict__ out,
                                                const float *__restrict__ adj_out,
                                                const int channels, const int height,
                                                const int width)
{
    const int pixels = height * width;
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < pixels;
         index += blockDim.x * gridDim.x) {
        const int x = index % width;
        const int y = index / width;
        const float to_x = x + flow[2 * index];
        const float to_y = y + flow[2 * index + 1];
        float adj_to_y = 0.0f;
        float adj_to_x = 0.0f;
        for (int c = 0; c < channels; ++c) {
            const int y0 = (int)floor(to_y);
            const int x0 = (int)floor(to_x);
            const float fy = to_y - y0;
            const float fx = to_x - x0;

            // 40:  out[index * channels + c] = bilinear(image + c, height, width, channels, to_y,
            //      to_x)
            float adj_sum = adj_out[index * channels + c];
            #pragma unroll
            for (int dy = 0; dy < 2; ++dy)
                #pragma unroll
                for (int dx = 0; dx < 2; ++dx) {
                    const int yy = y0 + dy;
                    const int xx = x0 + dx;
                    if (!(yy < 0 || yy >= height || xx < 0 || xx >= width)) {
                        const float wy = dy ? fy : 1 - fy;
                        const float wx = dx ? fx : 1 - fx;

                        // 22:  sum += wy * wx * image[(yy * width + xx) * channels]
                        float g = image[c + (yy * width + xx) * channels] * adj_sum;
                        float adj_wy = wx * g;
                        float adj_wx = wy * g;
                        atomicAdd(&adj_image[c + (yy * width + xx) * channels], wy * wx * adj_sum);

                        // 21:  const scalar_t wx = dx ? fx : 1 - fx
                        if (dx)
                            adj_to_x += adj_wx;
                        else
                            adj_to_x -= adj_wx;

                        // 20:  const scalar_t wy = dy ? fy : 1 - fy
                        if (dy)
                            adj_to_y += adj_wy;
                        else
                            adj_to_y -= adj_wy;
                    }
                }
        }

        // 38:  const scalar_t to_y = y + flow[2 * index + 1]
        adj_flow[2 * index + 1] += adj_to_y;
        // 37:  const scalar_t to_x = x + flow[2 * index]
        adj_flow[2 * index] += adj_to_x;
    }
}
