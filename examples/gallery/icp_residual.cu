// Geometry processing: robust point-to-plane distance of two scans, a sum over all pairs of points.
// After Y. Chen and G. Medioni (1991) and S. Rusinkiewicz and M. Levoy, "Efficient variants of the ICP
// algorithm" (2001); rotation by Rodrigues' formula, Huber's loss.
#include "mat3.cuh"
#include "reduce.cuh"

#define BLOCK 64

struct Pose {
    float3 rotation;  // axis times angle
    float3 translation;

    __device__ float3 apply(float3 p) const
    {
        const float angle2 = dot(rotation, rotation);
        if (angle2 < 1e-12f)
            return p + cross(rotation, p) + translation;
        const float angle = sqrtf(angle2);
        const float3 axis = rotation / angle;
        float s, c;
        sincosf(angle, &s, &c);
        return c * p + s * cross(axis, p) + (1.0f - c) * dot(axis, p) * axis + translation;
    }
};

__device__ float huber(float r, float width)
{
    const float size = fabsf(r);
    return size <= width ? 0.5f * r * r : width * (size - 0.5f * width);
}

// s2sad: --of loss --wrt pose
extern "C" __global__ void icp_residual(const float3 *__restrict__ source, const float3 *__restrict__ target,
                                        const float3 *__restrict__ normal, const int *__restrict__ match,
                                        const Pose *__restrict__ pose, float *loss, float width, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        const int j = match[i];
        if (j < 0)
            continue;
        sum += huber(dot(pose->apply(source[i]) - target[j], normal[j]), width);
    }
    sum = block_sum<BLOCK>(sum);
    if (threadIdx.x == 0)
        atomicAdd(loss, sum);
}
