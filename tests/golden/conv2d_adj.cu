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
//   adj_in[..]   atomicAdd           threads that differ in blockIdx.z only read the
//                                    same in[(c * height + y + dy) * width + x + dx]
//   adj_w[..]    reduced per block   all threads of a block read the same w[((f *
//                                    channels + c) * 3 + dy + 1) * 3 + dx + 1]
//
// Assumed: arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
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

extern "C" __global__ void conv2d_adj(const float *in, float *adj_in,
                                      const float *w, float *adj_w,
                                      float *out, const float *adj_out, int channels, int height,
                                      int width, int filters)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int f = blockIdx.z;
    float adj_sum;
    if (x < width && y < height) {
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
        adj_sum = (1.0f - r * r) * adj_out[(f * height + y) * width + x];
    }
    for (int c = 0; c < channels; ++c)
        for (int dy = -1; dy <= 1; ++dy) {
            bool here = x < width && y < height && !(y + dy < 0 || y + dy >= height);
            for (int dx = -1; dx <= 1; ++dx) {
                float adj_w_sum = 0.0f;
                if (here)
                    if (!(x + dx < 0 || x + dx >= width)) {
                        // 19:  sum += in[(c * height + y + dy) * width + x + dx] * w[((f * channels
                        //      + c) * 3 + dy + 1) * 3 + dx + 1]
                        atomicAdd(&adj_in[(c * height + y + dy) * width + x + dx],
                                  w[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1] * adj_sum);
                        adj_w_sum = in[(c * height + y + dy) * width + x + dx] * adj_sum;
                    }
                block_add(&adj_w[((f * channels + c) * 3 + dy + 1) * 3 + dx + 1], adj_w_sum);
            }
        }
}
