// icp_residual_adj: adjoint of icp_residual (icp_residual.cu:33).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform icp_residual.cu --of loss --wrt pose
//
// Call with source, target, normal, match and pose as they were before icp_residual.
// Seed adj_loss with dJ/dloss: it is left alone, because icp_residual only adds to
// loss. dJ/dpose is added to adj_pose. loss is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   j, p.x, p.y, p.z, angle2,   recomputed   from values at hand, in the reversed
//                                            iteration
//   apply_result.x,
//   apply_result.y,
//   apply_result.z, angle,
//   a.x, a.y, a.z,
//   s (line 19), axis.x,
//   axis.y, axis.z, c,
//   s (line 21), s (line 22)
//   pose[..].rotation.x,        reloaded     nothing stores to it
//   pose[..].rotation.y,
//   pose[..].rotation.z,
//   target[..].x,
//   normal[..].x,
//   target[..].y,
//   normal[..].y,
//   target[..].z,
//   normal[..].z
//
// How adjoints are added up:
//   adj_pose[..].rotation.x      reduced per block   every thread reads rotation
//   adj_pose[..].rotation.y      reduced per block   every thread reads rotation
//   adj_pose[..].rotation.z      reduced per block   every thread reads rotation
//   adj_pose[..].translation.x   reduced per block   every thread reads translation
//   adj_pose[..].translation.y   reduced per block   every thread reads translation
//   adj_pose[..].translation.z   reduced per block   every thread reads translation
//   adj_sum                      sum per block       each thread's value is in the
//                                                    block's sum once
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: blockDim.y and blockDim.z are 1, arrays don't overlap, no index wraps, a
// condition on floating values may be decided twice, and a near-tie either way.

#define BLOCK 64

struct Pose {
    float3 rotation;
    float3 translation;
};

// The sum of what the block's 64 threads bring, for each of them. All of them call it, once.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

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

static __device__ float huber_adj_r(float r, float width, float adj_huber)
{
    const float size = fabsf(r);
    float adj_size = 0.0f;
    float adj_r = 0.0f;

    // 29:  return size <= width ? 0.5f * r * r : width * (size - 0.5f * width)
    if (size <= width)
        adj_r = r * adj_huber;
    else
        adj_size = width * adj_huber;

    // 28:  const float size = fabsf(r)
    adj_r += (r > 0.0f ? 1.0f : r < 0.0f ? -1.0f : 0.0f) * adj_size;
    return adj_r;
}

extern "C" __global__ void icp_residual_adj(const float3 *__restrict__ source,
                                            const float3 *__restrict__ target,
                                            const float3 *__restrict__ normal,
                                            const int *__restrict__ match,
                                            const Pose *__restrict__ pose, Pose *adj_pose,
                                            float *loss, const float *adj_loss, float width, int n)
{
    // For blocks of one row, as threads are told apart by threadIdx.x alone; any other gets NaN.
    if (blockDim.y * blockDim.z != 1) {
        adj_pose->rotation = make_float3(nanf(""), nanf(""), nanf(""));
        adj_pose->translation = make_float3(nanf(""), nanf(""), nanf(""));
        return;
    }
    float adj_sum = 0.0f;
    if (threadIdx.x == 0) {
        // 46:  atomicAdd(loss, sum)
        adj_sum = *adj_loss;
    }

    // reduce.cuh:10:  for (int offset = WARP / 2; offset > 0; offset /= 2)
    adj_sum = block_sum(adj_sum);
    float adj_pose_translation_z_0 = 0.0f;
    float adj_pose_translation_y_0 = 0.0f;
    float adj_pose_translation_x_0 = 0.0f;
    float adj_pose_rotation_z_0 = 0.0f;
    float adj_pose_rotation_y_0 = 0.0f;
    float adj_pose_rotation_x_0 = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        const int j = match[i];
        if (j >= 0) {
            float3 p = source[i];
            float3 apply_result;
            const float angle2 = pose->rotation.x * pose->rotation.x
                                 + pose->rotation.y * pose->rotation.y
                                 + pose->rotation.z * pose->rotation.z;
            if (angle2 < 1e-12f) {
                float3 a = pose->rotation;
                apply_result = make_float3(p.x + (a.y * p.z - a.z * p.y) + pose->translation.x,
                                           p.y + (a.z * p.x - a.x * p.z) + pose->translation.y,
                                           p.z + (a.x * p.y - a.y * p.x) + pose->translation.z);
            } else {
                const float angle = sqrtf(angle2);
                float3 a = pose->rotation;
                float s = 1.0f / angle;
                const float3 axis = make_float3(s * a.x, s * a.y, s * a.z);
                float s_2;
                float c;
                sincosf(angle, &s_2, &c);
                float s_3 = (1.0f - c) * (axis.x * p.x + axis.y * p.y + axis.z * p.z);
                apply_result = make_float3(c * p.x + s_2 * (axis.y * p.z - axis.z * p.y)
                                           + s_3 * axis.x + pose->translation.x,
                                           c * p.y + s_2 * (axis.z * p.x - axis.x * p.z)
                                           + s_3 * axis.y + pose->translation.y,
                                           c * p.z + s_2 * (axis.x * p.y - axis.y * p.x)
                                           + s_3 * axis.z + pose->translation.z);
            }

            // 42:  sum += huber(dot(pose->apply(source[i]) - target[j], normal[j]), width)
            float g = huber_adj_r((apply_result.x - target[j].x) * normal[j].x
                                  + (apply_result.y - target[j].y) * normal[j].y
                                  + (apply_result.z - target[j].z) * normal[j].z, width, adj_sum);
            float3 adj_apply_result = make_float3(normal[j].x * g, normal[j].y * g,
                                                  normal[j].z * g);
            float adj_angle2 = 0.0f;
            if (angle2 < 1e-12f) {
                // 17:  return p + cross(rotation, p) + translation
                adj_pose_translation_z_0 += adj_apply_result.z;
                adj_pose_translation_y_0 += adj_apply_result.y;
                adj_pose_translation_x_0 += adj_apply_result.x;

                // 17:  rotation
                adj_pose_rotation_z_0 += p.x * adj_apply_result.y - p.y * adj_apply_result.x;
                adj_pose_rotation_y_0 += p.z * adj_apply_result.x - p.x * adj_apply_result.z;
                adj_pose_rotation_x_0 += p.y * adj_apply_result.z - p.z * adj_apply_result.y;
            } else {
                const float angle = sqrtf(angle2);
                float a_x = pose->rotation.x;
                float a_y = pose->rotation.y;
                float a_z = pose->rotation.z;
                float s = 1.0f / angle;
                const float axis_x = s * a_x;
                const float axis_y = s * a_y;
                const float axis_z = s * a_z;
                float s_2;
                float c;
                sincosf(angle, &s_2, &c);
                float s_3 = (1.0f - c) * (axis_x * p.x + axis_y * p.y + axis_z * p.z);

                // 22:  return c * p + s * cross(axis, p) + (1.0f - c) * dot(axis, p) * axis +
                //      translation
                float adj_c = p.z * adj_apply_result.z + p.y * adj_apply_result.y
                              + p.x * adj_apply_result.x;
                float g = s_2 * adj_apply_result.z;
                float3 adj_axis;
                adj_axis.x = p.y * g;
                adj_axis.y = s_3 * adj_apply_result.y - p.x * g;
                float adj_s_3 = axis_z * adj_apply_result.z + axis_y * adj_apply_result.y
                                + axis_x * adj_apply_result.x;
                adj_axis.z = s_3 * adj_apply_result.z;
                adj_pose_translation_z_0 += adj_apply_result.z;
                float g_2 = s_2 * adj_apply_result.y;
                adj_axis.x += s_3 * adj_apply_result.x - p.z * g_2;
                adj_axis.z += p.x * g_2;
                adj_pose_translation_y_0 += adj_apply_result.y;
                float g_3 = s_2 * adj_apply_result.x;
                adj_axis.y += p.z * g_3;
                adj_axis.z -= p.y * g_3;
                adj_pose_translation_x_0 += adj_apply_result.x;

                // 22:  (1.0f - c) * dot(axis, p)
                adj_c -= (axis_x * p.x + axis_y * p.y + axis_z * p.z) * adj_s_3;
                float g_4 = (1.0f - c) * adj_s_3;
                adj_axis.x += p.x * g_4;
                adj_axis.y += p.y * g_4;
                adj_axis.z += p.z * g_4;

                // 21:  sincosf(angle, &s, &c)
                float adj_angle = c
                                  * ((axis_x * p.y - axis_y * p.x) * adj_apply_result.z
                                     + (axis_z * p.x - axis_x * p.z) * adj_apply_result.y
                                     + (axis_y * p.z - axis_z * p.y) * adj_apply_result.x)
                                  - s_2 * adj_c;
                // 19:  rotation / angle
                adj_angle -= s * s * (a_z * adj_axis.z + a_y * adj_axis.y + a_x * adj_axis.x);

                // 19:  rotation
                adj_pose_rotation_z_0 += s * adj_axis.z;
                adj_pose_rotation_y_0 += s * adj_axis.y;
                adj_pose_rotation_x_0 += s * adj_axis.x;

                // 18:  const float angle = sqrtf(angle2)
                if (adj_angle != 0.0f)
                    adj_angle2 = 0.5f * adj_angle / angle;
            }

            // 15:  const float angle2 = dot(rotation, rotation)
            adj_pose_rotation_x_0 += 2.0f * pose->rotation.x * adj_angle2;
            adj_pose_rotation_y_0 += 2.0f * pose->rotation.y * adj_angle2;
            adj_pose_rotation_z_0 += 2.0f * pose->rotation.z * adj_angle2;
        }
    }
    block_add(&adj_pose->rotation.x, adj_pose_rotation_x_0);
    block_add(&adj_pose->rotation.y, adj_pose_rotation_y_0);
    block_add(&adj_pose->rotation.z, adj_pose_rotation_z_0);
    block_add(&adj_pose->translation.x, adj_pose_translation_x_0);
    block_add(&adj_pose->translation.y, adj_pose_translation_y_0);
    block_add(&adj_pose->translation.z, adj_pose_translation_z_0);
}
