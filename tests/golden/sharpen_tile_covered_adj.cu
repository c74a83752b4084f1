// sharpen_tile_covered_adj: adjoint of sharpen_tile_covered (sharpen_tile_covered.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sharpen_tile_covered.cu --of out --wrt image,taps --assume covers:width:height
//
// Call with image and taps as they were before sharpen_tile_covered. Seed adj_out with
// dJ/dout: it is left alone, because sharpen_tile_covered stores each element of out at
// most once. dJ/dimage is added to adj_image; dJ/dtaps is added to adj_taps. out is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum                   reloaded     still in its variable
//   tile_col, tile_row,   recomputed   from values at hand, in the reversed iteration
//   tile_inside
//   image[..], taps[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_taps[..]    reduced per block   every thread reads the same taps[3 * dy + dx]
//   adj_image[..]   +=, gathered        each thread collects what others owe to its
//                                       element of image; the launch covers width by
//                                       height
//
// Assumed: width >= 0, the launch is 2-D, no two threads store the same out[y * width +
// x], arrays don't overlap, no index wraps, covers:width:height.

#define ROWS 4
#define COLS 8

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

extern "C" __global__ void sharpen_tile_covered_adj(const float *__restrict__ image,
                                                    float *__restrict__ adj_image,
                                                    const float *__restrict__ taps,
                                                    float *__restrict__ adj_taps,
                                                    float *__restrict__ out,
                                                    const float *__restrict__ adj_out, int width,
                                                    int height)
{
    // For a launch that covers width by height, as it was declared; any other gets NaN.
    if (blockDim.x != COLS || gridDim.x * COLS < width || blockDim.y != ROWS
        || gridDim.y * ROWS < height) {
        adj_image[0] = nanf("");
        adj_taps[0] = nanf("");
        return;
    }
    int x = blockIdx.x * COLS + threadIdx.x;
    int y = blockIdx.y * ROWS + threadIdx.y;
    // what the threads around this one owe to its element of image
    float adj_image_sum = 0.0f;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            int x_there = x - dx + 1;
            int y_there = y - dy + 1;
            if (x_there >= 0 && y_there >= 0 && x_there < width && y_there < height) {
                int tile_row = y_there + dy - 1;
                if ((unsigned int)(x_there + dx - 1) < width && tile_row >= 0 && tile_row < height)
                    adj_image_sum += taps[3 * dy + dx]
                                     * ((unsigned int)x_there < width && y_there >= 0
                                        && y_there < height ? image[y_there * width + x_there]
                                        : 0.0f) * adj_out[y_there * width + x_there];
            }
        }
    // an element to which nobody owes anything needn't exist
    if (adj_image_sum != 0.0f)
        adj_image[y * width + x] += adj_image_sum;
    float adj_sum;
    if (x < width && y < height) {
        float sum = 0.0f;
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx) {
                int tile_col = x + dx - 1;
                int tile_row = y + dy - 1;
                sum += taps[3 * dy + dx]
                       * ((unsigned int)tile_col < width && tile_row >= 0 && tile_row < height
                          ? image[tile_row * width + tile_col] : 0.0f);
            }
        bool tile_inside = (unsigned int)x < width && y >= 0 && y < height;

        // 26:  out[y * width + x] = sum * tile[threadIdx.y + 1][threadIdx.x + 1]
        float g = adj_out[y * width + x];
        adj_sum = (tile_inside ? image[y * width + x] : 0.0f) * g;
        if (tile_inside)
            adj_image[y * width + x] += sum * g;
    }
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            float adj_taps_sum = 0.0f;
            if (x < width && y < height) {
                int tile_col = x + dx - 1;
                int tile_row = y + dy - 1;

                // 25:  sum += taps[3 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx]
                adj_taps_sum = ((unsigned int)tile_col < width && tile_row >= 0 && tile_row < height
                                ? image[tile_row * width + tile_col] : 0.0f) * adj_sum;
            }
            block_add(&adj_taps[3 * dy + dx], adj_taps_sum);
        }
}
