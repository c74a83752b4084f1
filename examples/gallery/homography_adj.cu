// homography_adj: adjoint of homography (homography.cu:21).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform homography.cu --of out --wrt image,h,exposure
//
// Call with image as it was before homography. Seed adj_out with dJ/dout: it is left
// alone, because homography stores each element of out at most once. dJ/dimage is added
// to adj_image; dJ/dh is added to adj_h; dJ/dexposure is added to adj_exposure. out is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v.x, v.y, v.z, q.x, q.y,   reloaded   still in its variable
//   q.z, value, t, t2, wx.x,
//   wx.y, wx.z, wx.w, wy.x,
//   wy.y, wy.z, wy.w
//   image[..]                  reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_image[..]   atomicAdd           not proved that two threads never meet in
//                                       row[clamp(x - 1, 0, width - 1)], row[clamp(x,
//                                       0, width - 1)], row[clamp(x + 1, 0, width - 1)]
//                                       and row[clamp(x + 2, 0, width - 1)]
//   adj_h.r0.x      reduced per block   every thread has its share in it
//   adj_h.r0.y      reduced per block   every thread has its share in it
//   adj_h.r0.z      reduced per block   every thread has its share in it
//   adj_h.r1.x      reduced per block   every thread has its share in it
//   adj_h.r1.y      reduced per block   every thread has its share in it
//   adj_h.r1.z      reduced per block   every thread has its share in it
//   adj_h.r2.x      reduced per block   every thread has its share in it
//   adj_h.r2.y      reduced per block   every thread has its share in it
//   adj_h.r2.z      reduced per block   every thread has its share in it
//   adj_exposure    reduced per block   every thread has its share in it
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

struct Mat3 {
    float3 r0, r1, r2;
};

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

static __host__ __device__ __forceinline__ int clamp(int x, int low, int high)
{
    return min(max(x, low), high);
}

extern "C" __global__ void homography_adj(const float *__restrict__ image,
                                          float *__restrict__ adj_image,
                                          float *__restrict__ out,
                                          const float *__restrict__ adj_out,
                                          const Mat3 h, Mat3 *adj_h,
                                          float exposure, float *adj_exposure, int width,
                                          int height)
{
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    float adj_exposure_sum = 0.0f;
    float adj_h_r2_x_sum = 0.0f;
    float adj_h_r2_y_sum = 0.0f;
    float adj_h_r2_z_sum = 0.0f;
    float adj_h_r1_x_sum = 0.0f;
    float adj_h_r1_y_sum = 0.0f;
    float adj_h_r1_z_sum = 0.0f;
    float adj_h_r0_x_sum = 0.0f;
    float adj_h_r0_y_sum = 0.0f;
    float adj_h_r0_z_sum = 0.0f;
    if (px < width && py < height) {
        float3 v = make_float3(px + 0.5f, py + 0.5f, 1.0f);
        const float3 q = make_float3(h.r0.x * v.x + h.r0.y * v.y + h.r0.z * v.z,
                                     h.r1.x * v.x + h.r1.y * v.y + h.r1.z * v.z,
                                     h.r2.x * v.x + h.r2.y * v.y + h.r2.z * v.z);
        float value = 0.0f;
        if (q.z > 1e-6f) {
            const float x = q.x / q.z - 0.5f;
            const float y = q.y / q.z - 0.5f;
            const int x0 = (int)floorf(x);
            const int y0 = (int)floorf(y);
            float t = x - x0;
            const float t2 = t * t;
            const float t3 = t2 * t;
            const float4 wx = make_float4(0.5f * (-t3 + 2.0f * t2 - t),
                                          0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f),
                                          0.5f * (-3.0f * t3 + 4.0f * t2 + t), 0.5f * (t3 - t2));
            float t_2 = y - y0;
            const float t2_2 = t_2 * t_2;
            const float t3_2 = t2_2 * t_2;
            const float4 wy = make_float4(0.5f * (-t3_2 + 2.0f * t2_2 - t_2),
                                          0.5f * (3.0f * t3_2 - 5.0f * t2_2 + 2.0f),
                                          0.5f * (-3.0f * t3_2 + 4.0f * t2_2 + t_2),
                                          0.5f * (t3_2 - t2_2));
            int row_at = clamp(y0 - 1, 0, height - 1) * width;
            int row_at2 = clamp(y0, 0, height - 1) * width;
            int row_at3 = clamp(y0 + 1, 0, height - 1) * width;
            int row_at4 = clamp(y0 + 2, 0, height - 1) * width;
            value = wy.x
                    * (wx.x * image[row_at + clamp(x0 - 1, 0, width - 1)]
                       + wx.y * image[row_at + clamp(x0, 0, width - 1)]
                       + wx.z * image[row_at + clamp(x0 + 1, 0, width - 1)]
                       + wx.w * image[row_at + clamp(x0 + 2, 0, width - 1)])
                    + wy.y * (wx.x * image[row_at2 + clamp(x0 - 1, 0, width - 1)]
                              + wx.y * image[row_at2 + clamp(x0, 0, width - 1)]
                              + wx.z * image[row_at2 + clamp(x0 + 1, 0, width - 1)]
                              + wx.w * image[row_at2 + clamp(x0 + 2, 0, width - 1)])
                    + wy.z * (wx.x * image[row_at3 + clamp(x0 - 1, 0, width - 1)]
                              + wx.y * image[row_at3 + clamp(x0, 0, width - 1)]
                              + wx.z * image[row_at3 + clamp(x0 + 1, 0, width - 1)]
                              + wx.w * image[row_at3 + clamp(x0 + 2, 0, width - 1)])
                    + wy.w * (wx.x * image[row_at4 + clamp(x0 - 1, 0, width - 1)]
                              + wx.y * image[row_at4 + clamp(x0, 0, width - 1)]
                              + wx.z * image[row_at4 + clamp(x0 + 1, 0, width - 1)]
                              + wx.w * image[row_at4 + clamp(x0 + 2, 0, width - 1)]);
        }

        // 40:  out[py * width + px] = 1.0f - expf(-exposure * value)
        float g = -(expf(-exposure * value) * adj_out[py * width + px]);
        adj_exposure_sum = -(value * g);
        float adj_value = -(exposure * g);
        float3 adj_q = {};
        if (q.z > 1e-6f) {
            const float x = q.x / q.z - 0.5f;
            const float y = q.y / q.z - 0.5f;
            const int x0 = (int)floorf(x);
            const int y0 = (int)floorf(y);
            float t = x - x0;
            const float t2 = t * t;
            const float t3 = t2 * t;
            const float wx_x = 0.5f * (-t3 + 2.0f * t2 - t);
            const float wx_y = 0.5f * (3.0f * t3 - 5.0f * t2 + 2.0f);
            const float wx_z = 0.5f * (-3.0f * t3 + 4.0f * t2 + t);
            const float wx_w = 0.5f * (t3 - t2);
            float t_2 = y - y0;
            const float t2_2 = t_2 * t_2;
            const float t3_2 = t2_2 * t_2;
            const float wy_x = 0.5f * (-t3_2 + 2.0f * t2_2 - t_2);
            const float wy_y = 0.5f * (3.0f * t3_2 - 5.0f * t2_2 + 2.0f);
            const float wy_z = 0.5f * (-3.0f * t3_2 + 4.0f * t2_2 + t_2);
            const float wy_w = 0.5f * (t3_2 - t2_2);
            int row_at = clamp(y0 - 1, 0, height - 1) * width;
            int row_at2 = clamp(y0, 0, height - 1) * width;
            int row_at3 = clamp(y0 + 1, 0, height - 1) * width;
            int row_at4 = clamp(y0 + 2, 0, height - 1) * width;

            // 35:  value = wy.x * row_of(image + clamp(y0 - 1, 0, height - 1) * width, x0, wx,
            //      width) + wy.y * row_of(image + clamp(y0, 0, height - 1) * width, x0, wx, width)
            //      + wy.z * row_of(image + clamp(y0 + 1, 0, height - 1) * width, x0, wx, width) +
            //      wy.w * row_of(image + clamp(y0 + 2, 0, height - 1) * width, x0, wx, width)
            float g = wy_x * adj_value;
            float4 adj_wx;
            adj_wx.x = image[row_at + clamp(x0 - 1, 0, width - 1)] * g;
            atomicAdd(&adj_image[row_at + clamp(x0 - 1, 0, width - 1)], wx_x * g);
            adj_wx.y = image[row_at + clamp(x0, 0, width - 1)] * g;
            atomicAdd(&adj_image[row_at + clamp(x0, 0, width - 1)], wx_y * g);
            adj_wx.z = image[row_at + clamp(x0 + 1, 0, width - 1)] * g;
            atomicAdd(&adj_image[row_at + clamp(x0 + 1, 0, width - 1)], wx_z * g);
            adj_wx.w = image[row_at + clamp(x0 + 2, 0, width - 1)] * g;
            atomicAdd(&adj_image[row_at + clamp(x0 + 2, 0, width - 1)], wx_w * g);
            float g_2 = wy_y * adj_value;
            adj_wx.x += image[row_at2 + clamp(x0 - 1, 0, width - 1)] * g_2;
            atomicAdd(&adj_image[row_at2 + clamp(x0 - 1, 0, width - 1)], wx_x * g_2);
            adj_wx.y += image[row_at2 + clamp(x0, 0, width - 1)] * g_2;
            atomicAdd(&adj_image[row_at2 + clamp(x0, 0, width - 1)], wx_y * g_2);
            adj_wx.z += image[row_at2 + clamp(x0 + 1, 0, width - 1)] * g_2;
            atomicAdd(&adj_image[row_at2 + clamp(x0 + 1, 0, width - 1)], wx_z * g_2);
            adj_wx.w += image[row_at2 + clamp(x0 + 2, 0, width - 1)] * g_2;
            atomicAdd(&adj_image[row_at2 + clamp(x0 + 2, 0, width - 1)], wx_w * g_2);
            float g_3 = wy_z * adj_value;
            adj_wx.x += image[row_at3 + clamp(x0 - 1, 0, width - 1)] * g_3;
            atomicAdd(&adj_image[row_at3 + clamp(x0 - 1, 0, width - 1)], wx_x * g_3);
            adj_wx.y += image[row_at3 + clamp(x0, 0, width - 1)] * g_3;
            atomicAdd(&adj_image[row_at3 + clamp(x0, 0, width - 1)], wx_y * g_3);
            adj_wx.z += image[row_at3 + clamp(x0 + 1, 0, width - 1)] * g_3;
            atomicAdd(&adj_image[row_at3 + clamp(x0 + 1, 0, width - 1)], wx_z * g_3);
            adj_wx.w += image[row_at3 + clamp(x0 + 2, 0, width - 1)] * g_3;
            atomicAdd(&adj_image[row_at3 + clamp(x0 + 2, 0, width - 1)], wx_w * g_3);
            float g_4 = wy_w * adj_value;
            adj_wx.x += image[row_at4 + clamp(x0 - 1, 0, width - 1)] * g_4;
            atomicAdd(&adj_image[row_at4 + clamp(x0 - 1, 0, width - 1)], wx_x * g_4);
            adj_wx.y += image[row_at4 + clamp(x0, 0, width - 1)] * g_4;
            atomicAdd(&adj_image[row_at4 + clamp(x0, 0, width - 1)], wx_y * g_4);
            adj_wx.z += image[row_at4 + clamp(x0 + 1, 0, width - 1)] * g_4;
            atomicAdd(&adj_image[row_at4 + clamp(x0 + 1, 0, width - 1)], wx_z * g_4);
            adj_wx.w += image[row_at4 + clamp(x0 + 2, 0, width - 1)] * g_4;
            atomicAdd(&adj_image[row_at4 + clamp(x0 + 2, 0, width - 1)], wx_w * g_4);

            // 34:  wy = catmull_rom(y - y0)
            float g_5 = 0.5f
                        * (wx_x * image[row_at4 + clamp(x0 - 1, 0, width - 1)]
                           + wx_y * image[row_at4 + clamp(x0, 0, width - 1)]
                           + wx_z * image[row_at4 + clamp(x0 + 1, 0, width - 1)]
                           + wx_w * image[row_at4 + clamp(x0 + 2, 0, width - 1)]) * adj_value;
            float adj_t3_2 = g_5;
            float adj_t2_2 = -g_5;
            float g_6 = 0.5f
                        * (wx_x * image[row_at3 + clamp(x0 - 1, 0, width - 1)]
                           + wx_y * image[row_at3 + clamp(x0, 0, width - 1)]
                           + wx_z * image[row_at3 + clamp(x0 + 1, 0, width - 1)]
                           + wx_w * image[row_at3 + clamp(x0 + 2, 0, width - 1)]) * adj_value;
            adj_t3_2 -= 3.0f * g_6;
            adj_t2_2 += 4.0f * g_6;
            float adj_t_2 = g_6;
            float g_7 = 0.5f
                        * (wx_x * image[row_at2 + clamp(x0 - 1, 0, width - 1)]
                           + wx_y * image[row_at2 + clamp(x0, 0, width - 1)]
                           + wx_z * image[row_at2 + clamp(x0 + 1, 0, width - 1)]
                           + wx_w * image[row_at2 + clamp(x0 + 2, 0, width - 1)]) * adj_value;
            adj_t3_2 += 3.0f * g_7;
            adj_t2_2 -= 5.0f * g_7;
            float g_8 = 0.5f
                        * (wx_x * image[row_at + clamp(x0 - 1, 0, width - 1)]
                           + wx_y * image[row_at + clamp(x0, 0, width - 1)]
                           + wx_z * image[row_at + clamp(x0 + 1, 0, width - 1)]
                           + wx_w * image[row_at + clamp(x0 + 2, 0, width - 1)]) * adj_value;
            adj_t3_2 -= g_8;
            adj_t2_2 += 2.0f * g_8;
            adj_t_2 -= g_8;

            // 9:  t3 = t2 * t
            adj_t2_2 += t_2 * adj_t3_2;
            adj_t_2 += t2_2 * adj_t3_2;

            // 9:  const float t2 = t * t
            adj_t_2 += 2.0f * t_2 * adj_t2_2;

            // 34:  const float4 wx = catmull_rom(x - x0)
            float g_9 = 0.5f * adj_wx.w;
            float adj_t3 = g_9;
            float adj_t2 = -g_9;
            float g_10 = 0.5f * adj_wx.z;
            adj_t3 -= 3.0f * g_10;
            adj_t2 += 4.0f * g_10;
            float adj_t = g_10;
            float g_11 = 0.5f * adj_wx.y;
            adj_t3 += 3.0f * g_11;
            adj_t2 -= 5.0f * g_11;
            float g_12 = 0.5f * adj_wx.x;
            adj_t3 -= g_12;
            adj_t2 += 2.0f * g_12;
            adj_t -= g_12;

            // 9:  t3 = t2 * t
            adj_t2 += t * adj_t3;
            adj_t += t2 * adj_t3;

            // 9:  const float t2 = t * t
            adj_t += 2.0f * t * adj_t2;

            // 32:  y = q.y / q.z - 0.5f
            float g_13 = adj_t_2 / q.z;
            adj_q.y = g_13;
            adj_q.z = -(q.y / q.z * g_13);

            // 32:  const float x = q.x / q.z - 0.5f
            float g_14 = adj_t / q.z;
            adj_q.x = g_14;
            adj_q.z -= q.x / q.z * g_14;
        }

        // 29:  const float3 q = h * make_float3(px + 0.5f, py + 0.5f, 1.0f)
        adj_h_r2_x_sum = v.x * adj_q.z;
        adj_h_r2_y_sum = v.y * adj_q.z;
        adj_h_r2_z_sum = v.z * adj_q.z;
        adj_h_r1_x_sum = v.x * adj_q.y;
        adj_h_r1_y_sum = v.y * adj_q.y;
        adj_h_r1_z_sum = v.z * adj_q.y;
        adj_h_r0_x_sum = v.x * adj_q.x;
        adj_h_r0_y_sum = v.y * adj_q.x;
        adj_h_r0_z_sum = v.z * adj_q.x;
    }
    block_add(adj_exposure, adj_exposure_sum);
    block_add(&adj_h->r0.x, adj_h_r0_x_sum);
    block_add(&adj_h->r0.y, adj_h_r0_y_sum);
    block_add(&adj_h->r0.z, adj_h_r0_z_sum);
    block_add(&adj_h->r1.x, adj_h_r1_x_sum);
    block_add(&adj_h->r1.y, adj_h_r1_y_sum);
    block_add(&adj_h->r1.z, adj_h_r1_z_sum);
    block_add(&adj_h->r2.x, adj_h_r2_x_sum);
    block_add(&adj_h->r2.y, adj_h_r2_y_sum);
    block_add(&adj_h->r2.z, adj_h_r2_z_sum);
}
