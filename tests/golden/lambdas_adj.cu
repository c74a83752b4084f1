// lambdas_adj: adjoint of lambdas (lambdas.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lambdas.cu --of y,energy --wrt x,w,damp
//
// Call with x and w as they were before lambdas. Seed adj_y with dJ/dy: it is left
// alone, because lambdas stores each element of y at most once. Seed adj_energy with
// dJ/denergy: it is left alone, because lambdas stores each element of energy at most
// once. dJ/dx is added to adj_x; dJ/dw is added to adj_w; dJ/ddamp is added to
// adj_damp. y and energy are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   scale (line 23)         tape_scale[3], registers   line 25 changes it in each
//                                                      iteration
//   scale (line 23), sum,   reloaded                   still in its variable
//   whole
//   x[..], w[..]            reloaded                   nothing stores to it
//   row, v                  recomputed                 from values at hand, in the
//                                                      reversed iteration
//   taps[..]                reloaded                   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd           not proved that two threads never meet in
//                                   x[at(row)]
//   adj_w[..]   reduced per block   every thread reads the same w[k]
//   adj_damp    reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

extern "C" __global__ void lambdas_adj(const float *x, float *adj_x,
                                       const float *w, float *adj_w,
                                       float *y, const float *adj_y,
                                       float *energy, const float *adj_energy, int n, int pitch,
                                       float damp, float *adj_damp)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_damp_sum = 0.0f;
    float taps[3] = {0.0f, 0.0f, 0.0f};
    float tape_scale[3];
    float adj_sum;
    float adj_scale;
    float adj_s;
    float adj_taps[3] = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float sum = 0.0f;
        float scale = 1.0f;

        for (int row = 0; row < 3; ++row) {
            tape_scale[row] = scale;
            float read_value;
            if (row < 0 || row > 2)
                read_value = 0.0f;
            else
                read_value = scale * x[row * pitch + i];

            int row_2 = row - 1;
            float read_value2;
            if (row_2 < 0 || row_2 > 2)
                read_value2 = 0.0f;
            else
                read_value2 = scale * x[row_2 * pitch + i];

            float v = read_value - read_value2;
            taps[row] += v;
            sum += v * v;

            scale *= damp;  // what a lambda captures by reference has its value of the call
        }
        float s = 0.0f;
        for (int k = 0; k < 3; ++k)
            s += w[k] * taps[k];
        const float whole = s;

        // ---- reverse sweep ------------------------------------------------------

        // 34:  energy[i] = sum * scale
        float g = adj_energy[i];
        adj_sum = scale * g;
        adj_scale = sum * g;

        // 33:  y[i] = tanhf(whole)
        float r = tanhf(whole);
        // 27:  const float whole = [&] { float s = 0.0f; for (int k = 0; k < 3; ++k) s += w[k] *
        //      taps[k]; return s; }()
        adj_s = (1.0f - r * r) * adj_y[i];
    }
    for (int k = 0; k < 3; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 30:  s += w[k] * taps[k]
            adj_w_sum = taps[k] * adj_s;
            adj_taps[k] += w[k] * adj_s;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    if (i < n)
        for (int row_2 = 2; row_2 >= 0; --row_2) {
            float scale = tape_scale[row_2];
            float read_value;
            if (row_2 < 0 || row_2 > 2)
                read_value = 0.0f;
            else
                read_value = scale * x[row_2 * pitch + i];

            int row = row_2 - 1;
            float read_value2;
            if (row < 0 || row > 2)
                read_value2 = 0.0f;
            else
                read_value2 = scale * x[row * pitch + i];

            float v = read_value - read_value2;

            // 25:  scale *= damp
            adj_damp_sum += scale * adj_scale;
            adj_scale *= damp;

            // 20:  sum += v * v
            float adj_v = 2.0f * v * adj_sum;
            // 19:  taps[k] += v
            adj_v += adj_taps[row_2];

            // 24:  add(row, read(row) - read(row - 1))
            float adj_read_value2 = -adj_v;
            if (!(row < 0 || row > 2)) {
                // 16:  return scale * x[at(row)]
                adj_scale += x[row * pitch + i] * adj_read_value2;
                atomicAdd(&adj_x[row * pitch + i], scale * adj_read_value2);
            }
            if (!(row_2 < 0 || row_2 > 2)) {
                // 16:  return scale * x[at(row)]
                adj_scale += x[row_2 * pitch + i] * adj_v;
                atomicAdd(&adj_x[row_2 * pitch + i], scale * adj_v);
            }
        }
    block_add(adj_damp, adj_damp_sum);
}
