// shine_adj: adjoint of shine (methods_call_functions.cu:29).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform methods_call_functions.cu --of y --wrt x,w,shapes
//
// Call with shapes, x and w as they were before shine. Seed adj_y with dJ/dy: it is
// left alone, because shine stores each element of y at most once. dJ/dshapes is added
// to adj_shapes; dJ/dx is added to adj_x; dJ/dw is added to adj_w. y is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   product_value,                reloaded     still in its variable
//   product_value2
//   w[..], shapes[..].radius,     reloaded     nothing stores to it
//   x[..].x, x[..].y
//   d.x, d.y,                     recomputed   from values at hand, in the reversed
//                                              iteration
//   towards_result.x (line 13),
//   towards_result.y (line 13),
//   towards_result.x (line 14),
//   towards_result.y (line 14),
//   s
//
// How adjoints are added up:
//   adj_w[..]                 reduced per block   every thread reads the same b[k]
//   adj_w[..]                 atomicAdd           other threads add to w[i + k], w[i *
//                                                 m + k] and w[(i + 1) * m + k] too
//   adj_x[..].x               +=, one owner       one thread per element
//   adj_x[..].y               +=, one owner       one thread per element
//   adj_shapes[..].centre.x   reduced per block   every thread reads the same centre
//   adj_shapes[..].centre.y   reduced per block   every thread reads the same centre
//   adj_shapes[..].radius     reduced per block   every thread reads the same radius
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

struct Circle {
    float2 centre;
    float radius;
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

__global__ void shine_adj(const Circle *shapes, Circle *adj_shapes,
                          const float2 *x, float2 *adj_x,
                          const float *w, float *adj_w,
                          float *y, const float *adj_y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float product_value;
    float product_value2;
    float adj_light;
    float adj_x_x_sum;
    float adj_x_y_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        product_value = 0;
        for (int k = 0; k < m; ++k)
            product_value += w[i * m + k] * w[(i + 1) * m + k];
        product_value2 = 0;
        for (int k = 0; k < 2; ++k)
            product_value2 += w[i + k] * w[k];

        // ---- reverse sweep ------------------------------------------------------

        // 37:  y[i] = light
        adj_light = adj_y[i];
        adj_x_x_sum = 0.0f;
        adj_x_y_sum = 0.0f;
    }
    for (int k = 0; k < m; ++k) {
        float adj_shapes_radius_sum = 0.0f;
        float adj_shapes_centre_y_sum = 0.0f;
        float adj_shapes_centre_x_sum = 0.0f;
        if (i < n) {
            float2 p = x[i];
            float2 towards_result;
            const float2 d = make_float2(p.x - shapes[k].centre.x, p.y - shapes[k].centre.y);
            if (d.x * d.x + d.y * d.y < shapes[k].radius * shapes[k].radius) {
                towards_result = make_float2(d.x / shapes[k].radius, d.y / shapes[k].radius);
            } else {
                const float s = rsqrtf(d.x * d.x + d.y * d.y);
                towards_result = make_float2(s * d.x, s * d.y);
            }

            // 36:  light += dot(shapes[k].towards(x[i]), x[i])
            float2 adj_towards_result;
            adj_towards_result.x = x[i].x * adj_light;
            adj_x_x_sum += towards_result.x * adj_light;
            adj_towards_result.y = x[i].y * adj_light;
            adj_x_y_sum += towards_result.y * adj_light;
            float2 adj_d;
            if (d.x * d.x + d.y * d.y < shapes[k].radius * shapes[k].radius) {
                float towards_result_y;
                towards_result_y = d.y / shapes[k].radius;

                // 14:  return make_float2(d.x / radius, d.y / radius)
                float g = adj_towards_result.y / shapes[k].radius;
                adj_d.y = g;
                adj_shapes_radius_sum = -(towards_result_y * g);
                float g_2 = adj_towards_result.x / shapes[k].radius;
                adj_d.x = g_2;
                adj_shapes_radius_sum -= d.x / shapes[k].radius * g_2;
            } else {
                const float s = rsqrtf(d.x * d.x + d.y * d.y);
                // 16:  return make_float2(s * d.x, s * d.y)
                adj_d = make_float2(s * adj_towards_result.x, s * adj_towards_result.y);

                // 15:  const float s = rsqrtf(dot(d, d))
                float g = -0.5f * s * s * s
                          * (d.y * adj_towards_result.y + d.x * adj_towards_result.x);
                adj_d.x += 2.0f * d.x * g;
                adj_d.y += 2.0f * d.y * g;
            }

            // 12:  const float2 d = minus(p, centre)
            adj_shapes_centre_y_sum = -adj_d.y;
            adj_shapes_centre_x_sum = -adj_d.x;

            // 36:  x[i]
            adj_x_y_sum += adj_d.y;
            adj_x_x_sum += adj_d.x;
        }
        block_add(&adj_shapes[k].centre.x, adj_shapes_centre_x_sum);
        block_add(&adj_shapes[k].centre.y, adj_shapes_centre_y_sum);
        block_add(&adj_shapes[k].radius, adj_shapes_radius_sum);
    }
    float adj_product_value;
    float adj_product_value2;
    if (i < n) {
        // what the iterations owe, added once
        if (adj_x_x_sum != 0.0f)
            adj_x[i].x += adj_x_x_sum;
        if (adj_x_y_sum != 0.0f)
            adj_x[i].y += adj_x_y_sum;

        // 34:  float light = product(w + i * m, w + (i + 1) * m, m) * product<float>(&w[i], w, 2)
        adj_product_value = product_value2 * adj_light;
        adj_product_value2 = product_value * adj_light;
    }
    for (int k = 0; k < 2; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 25:  sum += a[k] * b[k]
            atomicAdd(&adj_w[i + k], w[k] * adj_product_value2);
            adj_w_sum = w[i + k] * adj_product_value2;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    if (i < n)
        for (int k = 0; k < m; ++k) {
            // 25:  sum += a[k] * b[k]
            atomicAdd(&adj_w[i * m + k], w[(i + 1) * m + k] * adj_product_value);
            atomicAdd(&adj_w[(i + 1) * m + k], w[i * m + k] * adj_product_value);
        }
}
