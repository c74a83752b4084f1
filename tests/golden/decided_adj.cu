// fold_adj: adjoint of fold (decided.cu:39).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform decided.cu --of out --wrt x,scale --template KIND=LARGEST,SCALED=true
//
// Call with x and scale as they were before fold. Seed adj_out with dJ/dout: it is left
// alone, because fold stores each element of out at most once. dJ/dx is added to adj_x;
// dJ/dscale is added to adj_scale. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   total                 tape_total[3], registers   line 20 changes it in each
//                                                    iteration
//   v.x (line 46),        recomputed                 from values at hand, in the
//                                                    reversed iteration
//   v.y (line 46),
//   v.z (line 46), s, v
//
// How adjoints are added up:
//   adj_x[..].x     +=, one owner       each thread has elements of its own
//   adj_x[..].y     +=, one owner       each thread has elements of its own
//   adj_x[..].z     +=, one owner       each thread has elements of its own
//   adj_scale[..]   reduced per block   every thread reads the same SCALED ? scale[k] :
//                                       1.0f
//
// Of the template fold this is the instance with KIND = LARGEST, SCALED = true.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

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

extern "C" __global__ void fold_adj(const float3 *x, float3 *adj_x,
                                    const float *scale, float *adj_scale,
                                    float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float tape_total[3];
    float adj_total;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float total = -1e30f;
        for (int k = 0; k < 3; ++k) {
            tape_total[k] = total;
            float3 v = x[3 * i + k];
            float s = scale[k];
            float3 v_2 = make_float3(s * v.x * v.x, s * v.y * v.y, s * v.z * v.z);
            float v_3 = v_2.x * v_2.y * v_2.z;
            if (v_3 > total)
                total = v_3;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 27:  *where = KIND == MEAN ? total / count : total
        adj_total = adj_out[i];
    }
    for (int k = 2; k >= 0; --k) {
        float adj_scale_sum = 0.0f;
        if (i < n) {
            float total = tape_total[k];
            float v_x = x[3 * i + k].x;
            float v_y = x[3 * i + k].y;
            float v_z = x[3 * i + k].z;
            float s = scale[k];
            float v_x_2 = s * v_x * v_x;
            float v_y_2 = s * v_y * v_y;
            float v_z_2 = s * v_z * v_z;
            float v = v_x_2 * v_y_2 * v_z_2;
            float adj_v_3 = 0.0f;
            if (v > total) {
                // 20:  *total = v
                adj_v_3 = adj_total;
                adj_total = 0.0f;
            }

            // 47:  v.x * v.y * v.z
            float g = v_z_2 * adj_v_3;
            float3 adj_v = make_float3(v_y_2 * g, v_x_2 * g, v_x_2 * v_y_2 * adj_v_3);

            // 46:  SCALED ? scale[k] : 1.0f
            adj_scale_sum = v_z * v_z * adj_v.z + v_y * v_y * adj_v.y + v_x * v_x * adj_v.x;

            // 46:  x[3 * i + k]
            adj_x[3 * i + k].x += 2.0f * s * v_x * adj_v.x;
            adj_x[3 * i + k].y += 2.0f * s * v_y * adj_v.y;
            adj_x[3 * i + k].z += 2.0f * s * v_z * adj_v.z;
        }
        block_add(&adj_scale[k], adj_scale_sum);
    }
}
