// blur_covered_adj: adjoint of blur_covered (blur_covered.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform blur_covered.cu --of out --wrt image,taps --assume covers:width:height
//
// Call with image and taps as they were before blur_covered. Seed adj_out with dJ/dout:
// it is left alone, because blur_covered stores each element of out at most once.
// dJ/dimage is added to adj_image; dJ/dtaps is added to adj_taps. out is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   image[..], taps[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_taps[..]    reduced per block   every thread reads the same taps[3 * dy + dx +
//                                       4]
//   adj_image[..]   +=, gathered        each thread collects what others owe to its
//                                       element of image; the launch covers width by
//                                       height
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps,
// covers:width:height.

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

extern "C" __global__ void blur_covered_adj(const float *__restrict__ image,
                                            float *__restrict__ adj_image,
                                            const float *__restrict__ taps,
                                            float *__restrict__ adj_taps,
                                            float *__restrict__ out,
                                            const float *__restrict__ adj_out, int width,
                                            int height)
{
    // For a launch that covers width by height, as it was declared; any other gets NaN.
    if (gridDim.x * blockDim.x < width || gridDim.y * blockDim.y < height) {
        adj_image[0] = nanf("");
        adj_taps[0] = nanf("");
        return;
    }
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    // what the threads around this one owe to its element of image
    float adj_image_sum = 0.0f;

    // 15:  out[y * width + x] = tanhf(image[y * width + x]) + sum
    if (x < width && y < height) {
        float r = tanhf(image[y * width + x]);
        adj_image_sum = (1.0f - r * r) * adj_out[y * width + x];
    }

    // 14:  sum += taps[3 * dy + dx + 4] * image[(y + dy) * width + x + dx]
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int x_there = x - dx;
            int y_there = y - dy;
            if (x_there >= 0 && y_there >= 0 && x_there < width && y_there < height)
                if (x_there + dx >= 0 && x_there + dx < width && y_there + dy >= 0
                    && y_there + dy < height)
                    adj_image_sum += taps[3 * dy + dx + 4] * adj_out[y_there * width + x_there];
        }
    // an element to which nobody owes anything needn't exist
    if (adj_image_sum != 0.0f)
        adj_image[y * width + x] += adj_image_sum;
    float g;
    if (x < width && y < height) {
        // 15:  out[y * width + x] = tanhf(image[y * width + x]) + sum
        g = adj_out[y * width + x];
    }
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            float adj_taps_sum = 0.0f;
            if (x < width && y < height)
                if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                    // 14:  sum += taps[3 * dy + dx + 4] * image[(y + dy) * width + x + dx]
                    adj_taps_sum = image[(y + dy) * width + x + dx] * g;
                }
            block_add(&adj_taps[3 * dy + dx + 4], adj_taps_sum);
        }
}
