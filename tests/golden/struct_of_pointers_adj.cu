// views_adj: adjoint of views (struct_of_pointers.cu:33).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform struct_of_pointers.cu --of y --wrt x,w
//
// Call with x, w and y as they were before views. adj_y comes in as dJ/dy after views
// and goes out as dJ/dy before it, element by element. dJ/dx is added to adj_x; dJ/dw
// is added to adj_w. The content of y afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   whole.scale, half.scale,   reloaded   still in its variable
//   dot3_value, v,
//   view.scale, dot3_value3
//   w[..], x[..]               reloaded   nothing stores to it
//   y[..]                      reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_w[..]   reduced per block   every thread reads w[0], b[0], b[1] and b[2]
//   adj_x[..]   reduced per block   every thread reads b[0], b[1] and b[2]
//   adj_x[..]   atomicAdd           other threads add to x[i * half.stride], x[i *
//                                   half.stride + 1], x[i * half.stride + 2], x[3 * i]
//                                   and others too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct View {
    const float *in;
    float *out;
    int stride;
    float scale;
};

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

__global__ void views_adj(const float *x, float *adj_x,
                          const float *w, float *adj_w,
                          float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_w_1 = 0.0f;
    float adj_w_2 = 0.0f;
    float adj_w_3 = 0.0f;
    float adj_x_0 = 0.0f;
    float adj_x_1 = 0.0f;
    float adj_x_2 = 0.0f;
    float adj_w_0 = 0.0f;
    if (i < n) {
        View whole;
        whole.stride = 3;
        whole.scale = w[0];
        View view = whole;
        view.scale *= 0.5f;
        View half = view;
        float dot3_value = x[i * whole.stride] * w[0] + x[i * whole.stride + 1] * w[1]
                           + x[i * whole.stride + 2] * w[2];
        float v = whole.scale * dot3_value
                  + (x[3 * i] * x[0] + x[3 * i + 1] * x[1] + x[3 * i + 2] * x[2]);
        View view_2 = half;
        y[i] = v * v * view_2.scale + y[i];
        float dot3_value3 = x[i * half.stride] * w[1] + x[i * half.stride + 1] * w[2]
                            + x[i * half.stride + 2] * w[3];

        // 42:  whole.out[i] *= weighed(half, w + 1, i)
        float g = y[i] * adj_y[i];
        View adj_half;
        adj_half.scale = dot3_value3 * g;
        float adj_dot3_value3 = half.scale * g;
        adj_y[i] *= half.scale * dot3_value3;

        // 25:  dot3(row, w)
        atomicAdd(&adj_x[i * half.stride], w[1] * adj_dot3_value3);
        adj_w_1 = x[i * half.stride] * adj_dot3_value3;
        atomicAdd(&adj_x[i * half.stride + 1], w[2] * adj_dot3_value3);
        adj_w_2 = x[i * half.stride + 1] * adj_dot3_value3;
        atomicAdd(&adj_x[i * half.stride + 2], w[3] * adj_dot3_value3);
        adj_w_3 = x[i * half.stride + 2] * adj_dot3_value3;

        // 30:  view.out[i] = v * view.scale + view.out[i]
        float g_2 = adj_y[i];
        float adj_v = 2.0f * v * view_2.scale * g_2;

        // 41:  half
        adj_half.scale += v * v * g_2;

        // 40:  float v = weighed(whole, w, i) + dot3(half.in + 3 * i, half.in)
        View adj_whole;
        adj_whole.scale = dot3_value * adj_v;
        float adj_dot3_value = whole.scale * adj_v;

        // 40:  dot3(half.in + 3 * i, half.in)
        atomicAdd(&adj_x[3 * i], x[0] * adj_v);
        adj_x_0 = x[3 * i] * adj_v;
        atomicAdd(&adj_x[3 * i + 1], x[1] * adj_v);
        adj_x_1 = x[3 * i + 1] * adj_v;
        atomicAdd(&adj_x[3 * i + 2], x[2] * adj_v);
        adj_x_2 = x[3 * i + 2] * adj_v;

        // 25:  dot3(row, w)
        atomicAdd(&adj_x[i * whole.stride], w[0] * adj_dot3_value);
        adj_w_0 = x[i * whole.stride] * adj_dot3_value;
        atomicAdd(&adj_x[i * whole.stride + 1], w[1] * adj_dot3_value);
        adj_w_1 += x[i * whole.stride + 1] * adj_dot3_value;
        atomicAdd(&adj_x[i * whole.stride + 2], w[2] * adj_dot3_value);
        adj_w_2 += x[i * whole.stride + 2] * adj_dot3_value;

        // 39:  whole
        adj_whole.scale += adj_half.scale * 0.5f;
        // 38:  View whole = {x, y, 3, w[0]}
        adj_w_0 += adj_whole.scale;
    }
    block_add(&adj_w[1], adj_w_1);
    block_add(&adj_w[2], adj_w_2);
    block_add(&adj_w[3], adj_w_3);
    block_add(adj_x, adj_x_0);
    block_add(&adj_x[1], adj_x_1);
    block_add(&adj_x[2], adj_x_2);
    block_add(adj_w, adj_w_0);
}
