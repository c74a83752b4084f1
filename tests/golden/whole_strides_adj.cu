// whole_strides_adj: adjoint of whole_strides (whole_strides.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform whole_strides.cu --of y,total --wrt x,w
//
// Call with x, w and y as they were before whole_strides. Seed adj_total with
// dJ/dtotal: it is left alone, because whole_strides stores each element of total at
// most once. adj_y comes in as dJ/dy after whole_strides and goes out as dJ/dy before
// it, element by element. dJ/dx is added to adj_x; dJ/dw is added to adj_w. total is
// neither read nor written. The content of y afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], w[..]               reloaded                                                                                nothing stores to it
//   tile[blockDim.x - 1 - t]   tape_tile[(n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x)], global memory   line 16 overwrites it
//   y[..]                      reloaded                                                                                no later store goes to
//                                                                                                                      it
//   sum                        tape_sum[(rows + 5) / 6], global memory                                                 line 18 changes it in
//                                                                                                                      each iteration
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   each thread has elements of its own
//   adj_w[..]      atomicAdd       not proved that two threads never meet in w[i] and
//                                  w[k]
//   adj_y[..]      +=, one owner   each thread has elements of its own
//   adj_tile[..]   +=, by phase    between two barriers one thread per element
//   adj_tile[..]   atomicAdd       not proved that two threads never meet in tile[t ^
//                                  1]
//
// Extra memory: a tape of (((long long)rows + 5) / 6) * sizeof(float) bytes (tape_sum)
// and ((n + (long long)grid.x * block.x - 1) / ((long long)grid.x * block.x)) *
// sizeof(float) bytes (tape_tile) per thread, in global memory;
// whole_strides_adj_tape_bytes(grid, block, n, rows) says how many in all.
//
// Assumed: the launch is 1-D, n is a multiple of blockDim.x, rows is a multiple of 6
// and blockDim.x is no more than 6, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t whole_strides_adj_tape_bytes(dim3 grid, dim3 block, int n, int rows)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_sum
    bytes += (threads * (((long long)rows + 5) / 6 > 0 ? ((long long)rows + 5) / 6 : 0)
              * sizeof(float) + 15) / 16 * 16;
    // tape_tile
    bytes += (threads
              * ((n + (long long)grid.x * block.x - 1) / ((long long)grid.x * block.x) > 0
                 ? (n + (long long)grid.x * block.x - 1) / ((long long)grid.x * block.x) : 0)
              * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

__global__ void whole_strides_adj(const float *x, float *adj_x,
                                  const float *w, float *adj_w,
                                  float *y, float *adj_y,
                                  float *total, const float *adj_total, int n, int rows, char *tape)
{
    // For n a multiple of blockDim.x, rows a multiple of 6 and blockDim.x no more than 6, as
    // threads that part don't meet; any other gets NaN.
    if (n % (int)blockDim.x != 0 || blockDim.x > 6 || rows % 6 != 0) {
        adj_x[0] = nanf("");
        adj_w[0] = nanf("");
        adj_y[0] = nanf("");
        return;
    }
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_sum = (float *)(tape + at) + thread;
    at += (threads * ((rows + 5) / 6 > 0 ? (rows + 5) / 6 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_tile = (float *)(tape + at) + thread;
    __shared__ float tile[64];
    __shared__ float adj_tile[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_tile[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        tile[t] = x[i] * x[i];
        __syncthreads();
        tape_tile[(i - (int)(blockIdx.x * blockDim.x + threadIdx.x)) / (int)(gridDim.x * blockDim.x)
                  * threads] = tile[blockDim.x - 1 - t];
        y[i] = tile[blockDim.x - 1 - t] * w[i];
        sum += y[i] * x[i];
        __syncthreads();
    }
    for (int k = t; k < rows; k += 6) {
        tape_sum[(k - t) / 6 * threads] = sum;
        tile[t] = w[k] * sum;
        __syncthreads();
        sum += tile[t ^ 1];
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    // 21:  total[blockIdx.x * blockDim.x + threadIdx.x] = sum
    float adj_sum = adj_total[blockIdx.x * blockDim.x + threadIdx.x];
    for (int k = t + (rows - t + 5) / 6 * 6 - 6; k >= t; k -= 6) {
        float sum = tape_sum[(k - t) / 6 * threads];
        __syncthreads();

        // 18:  sum += tile[t ^ 1]
        atomicAdd(&adj_tile[t ^ 1], adj_sum);
        __syncthreads();

        // 16:  tile[t] = w[k] * sum
        float g = adj_tile[t];
        atomicAdd(&adj_w[k], sum * g);
        adj_sum += w[k] * g;
        adj_tile[t] = 0.0f;
    }
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x)
         + (n - (int)(blockIdx.x * blockDim.x + threadIdx.x) + (int)(gridDim.x * blockDim.x) - 1)
         / (int)(gridDim.x * blockDim.x) * (int)(gridDim.x * blockDim.x)
         - (int)(gridDim.x * blockDim.x); i >= (int)(blockIdx.x * blockDim.x + threadIdx.x);
         i -= gridDim.x * blockDim.x) {
        __syncthreads();

        // 12:  sum += y[i] * x[i]
        adj_y[i] += x[i] * adj_sum;
        adj_x[i] += y[i] * adj_sum;

        // 11:  y[i] = tile[blockDim.x - 1 - t] * w[i]
        float g = adj_y[i];
        adj_tile[blockDim.x - 1 - t] += w[i] * g;
        atomicAdd(&adj_w[i],
                  tape_tile[(i - (int)(blockIdx.x * blockDim.x + threadIdx.x))
                            / (int)(gridDim.x * blockDim.x) * threads] * g);
        adj_y[i] = 0.0f;
        __syncthreads();

        // 9:  tile[t] = x[i] * x[i]
        adj_x[i] += 2.0f * x[i] * adj_tile[t];
        adj_tile[t] = 0.0f;
    }
}
