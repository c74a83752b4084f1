// vector_views_adj: adjoint of vector_views (vector_views.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform vector_views.cu --of y --wrt x,w
//
// Call with x and w as they were before vector_views. adj_y comes in as dJ/dy after
// vector_views and goes out as dJ/dy before it, element by element. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v.y, v.x, scale.x,   reloaded   still in its variable
//   scale.y, scale.z
//   tile[..]             reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_w[..]      +=, one owner   one thread per element
//   adj_tile[..]   atomicAdd       not proved that two threads never meet in tile[4 *
//                                  threadIdx.x] and tile[63 - 4 * threadIdx.x]
//   adj_tile[..]   atomicAdd       not proved that two threads never meet in tile[63 -
//                                  4 * threadIdx.x] and tile[4 * threadIdx.x + 3]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void vector_views_adj(const float *x, float *adj_x,
                                 float *w, float *adj_w,
                                 float *y, float *adj_y, int n)
{
    __shared__ float tile[64];
    __shared__ float adj_tile[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (4 * i + 3 < n)
        v = make_float4(x[(long)i * 4], x[(long)i * 4 + 1], x[(long)i * 4 + 2], x[(long)i * 4 + 3]);
    const long pairs_at = 4 * threadIdx.x;
    tile[pairs_at] = v.x * v.y;
    tile[pairs_at + 1] = v.z;
    tile[pairs_at + 2] = v.w;
    tile[pairs_at + 3] = sinf(v.x);
    __syncthreads();
    float4 adj_v;
    adj_v.w = 0.0f;
    if (4 * i + 3 < n) {
        float4 scale;
        scale.x = w[4 * i];
        scale.y = w[4 * i + 1];
        scale.z = w[4 * i + 2];

        // 22:  out->w += v.w
        adj_v.w = adj_y[(long)i * 4 + 3];

        // 20:  *out = make_float4(scale.x * tile[4 * threadIdx.x], scale.y * tile[63 - 4 *
        //      threadIdx.x], scale.z * scale.z, tile[4 * threadIdx.x + 3])
        atomicAdd(&adj_tile[4 * threadIdx.x + 3], adj_y[(long)i * 4 + 3]);
        adj_y[(long)i * 4 + 3] = 0.0f;
        float4 adj_scale;
        adj_scale.z = 2.0f * scale.z * adj_y[(long)i * 4 + 2];
        adj_y[(long)i * 4 + 2] = 0.0f;
        float g = adj_y[(long)i * 4 + 1];
        atomicAdd(&adj_tile[63 - 4 * threadIdx.x], scale.y * g);
        adj_y[(long)i * 4 + 1] = 0.0f;
        float g_2 = adj_y[(long)i * 4];
        atomicAdd(&adj_tile[4 * threadIdx.x], scale.x * g_2);
        adj_y[(long)i * 4] = 0.0f;

        // 19:  float4 scale = FETCH_FLOAT4(w[4 * i])
        adj_w[4 * i + 2] += adj_scale.z;
        adj_w[4 * i + 1] += tile[63 - 4 * threadIdx.x] * g;
        adj_w[4 * i] += tile[4 * threadIdx.x] * g_2;
    }
    __syncthreads();

    // 15:  pairs[1].y = sinf(v.x)
    adj_v.x = cosf(v.x) * adj_tile[pairs_at + 3];
    // 14:  pairs[1].x = v.w
    adj_v.w += adj_tile[pairs_at + 2];

    // 13:  pairs[0] = make_float2(v.x * v.y, v.z)
    float g = adj_tile[pairs_at];
    adj_v.x += v.y * g;
    if (4 * i + 3 < n) {
        // 11:  v = reinterpret_cast<const float4 *>(x)[i]
        adj_x[(long)i * 4 + 3] += adj_v.w;
        adj_x[(long)i * 4 + 2] += adj_tile[pairs_at + 1];
        adj_x[(long)i * 4 + 1] += v.x * g;
        adj_x[(long)i * 4] += adj_v.x;
    }
}
