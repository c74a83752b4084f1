// index_functions_adj: adjoint of index_functions (index_functions.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform index_functions.cu --of y --wrt x,w
//
// Call with x and w as they were before index_functions. Seed adj_y with dJ/dy: it is
// left alone, because index_functions stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s              reloaded   still in its variable
//   x[..], w[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_w[..]   reduced per block   every thread reads the same w[c]
//
// Assumed: columns >= 0, columns - 1 >= 0, the launch is 1-D, arrays don't overlap, no
// index wraps.

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

static __device__ int thread_of_grid()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ int at(int row, int column, int columns)
{
    return row * columns + column;
}

static __device__ unsigned int last(unsigned int columns)
{
    return at(1, 0, columns) - 1;
}

__global__ void index_functions_adj(const float *x, float *adj_x,
                                    const float *w, float *adj_w,
                                    float *y, const float *adj_y, int rows, int columns)
{
    int row = thread_of_grid();
    float adj_s;
    if (row < rows) {
        // ---- forward sweep ------------------------------------------------------

        float s = x[at(row, last(columns), columns)];
        for (int c = 0; c < columns; ++c)
            s += w[c] * x[at(row, c, columns)] * x[at(row, c, columns)];

        // ---- reverse sweep ------------------------------------------------------

        adj_s = 0.0f;
        for (int c = 0; c < columns; ++c) {
            // 16:  y[at(row, c, columns)] = sinf(s) * (c + 1)
            adj_s += (c + 1) * cosf(s) * adj_y[at(row, c, columns)];
        }
    }
    for (int c = 0; c < columns; ++c) {
        float adj_w_sum = 0.0f;
        if (row < rows) {
            // 14:  s += w[c] * x[at(row, c, columns)] * x[at(row, c, columns)]
            adj_w_sum = x[at(row, c, columns)] * x[at(row, c, columns)] * adj_s;
            adj_x[at(row, c, columns)] += 2.0f * w[c] * x[at(row, c, columns)] * adj_s;
        }
        block_add(&adj_w[c], adj_w_sum);
    }
    if (row < rows) {
        // 12:  float s = x[at(row, last(columns), columns)]
        adj_x[at(row, last(columns), columns)] += adj_s;
    }
}
