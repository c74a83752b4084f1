// conv2d_adj: adjoint of conv2d (conv2d.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform conv2d.cu --of out --wrt in,w
//
// Call with in and w as they were before conv2d. Seed adj_out with dJ/dout: it is left
// alone, because conv2d stores each element of out at most once. dJ/din is added to
// adj_in; dJ/dw is added to adj_w. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum             reloaded   still in its variable
//   w[..], in[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]   atomicAdd   threads that differ in blockIdx.z only read the same in[(c
//                            * height + y + dy) * width + x + dx]
//   adj_w[..]    atomicAdd   threads that differ in blockIdx.x, blockIdx.y, threadIdx.x
//                            and threadIdx.y only read the same w[((f * channels + c) *
//                            3 + dy + 1) * 3 + dx + 1]
//
// Assumed: arrays don't overlap, no index wraps.

extern "C" __global__ void conv2d_adj(const float *in, float *adj_in,
                                      const float *w, float *adj_w,
                                      float *out, const float *adj_out, int channels, int height,
                                      int width, int filters)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int f = blockIdx.z;
    if (x >= width || y >= height)
        return;

    // ---- forward sweep ------------------------------------------------------

    float sum = 0.f;
    for (int c = 0; c < channels; ++c)
        for (int dy = -1; dy <= 1; ++dy)
            if (!(y + dy < 0 || y + dy >= height))
                for (int dx = -1; dx <= 1; ++dx)
                    if (!(x + dx < 0 || x + dx >= width))
                        sum += in[(c * height + y + dy) * width + x + dx]
                               * w[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1];

    // ---- reverse sweep ------------------------------------------------------

    // 22:  out[(f * height + y) * width + x] = tanhf(sum)
    float r = tanhf(sum);
    float adj_sum = (1.0f - r * r) * adj_out[(f * height + y) * width + x];
    for (int c = 0; c < channels; ++c)
        for (int dy = -1; dy <= 1; ++dy)
            if (!(y + dy < 0 || y + dy >= height))
                for (int dx = -1; dx <= 1; ++dx)
                    if (!(x + dx < 0 || x + dx >= width)) {
                        // 19:  sum += in[(c * height + y + dy) * width + x + dx] * w[((f * channels
                        //      + c) * 3 + dy + 1) * 3 + dx + 1]
                        atomicAdd(&adj_in[(c * height + y + dy) * width + x + dx],
                                  w[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1] * adj_sum);
                        atomicAdd(&adj_w[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1],
                                  in[(c * height + y + dy) * width + x + dx] * adj_sum);
                    }
}
