// Geometry processing: cotangent Laplacian and area of a triangle mesh, gathered triangle by triangle.
// After M. Desbrun et al., "Implicit fairing of irregular meshes using diffusion and curvature flow",
// SIGGRAPH 1999, and U. Pinkall and K. Polthier (1993).
#include "vec.cuh"

struct Corner {
    float cot;
    float3 edge;  // the opposite edge
};

__device__ __forceinline__ float cotangent(float3 u, float3 v, float double_area) { return dot(u, v) / double_area; }

// s2sad: --of flow,area --wrt vertices,flow,area
extern "C" __global__ void cotan_flow(const float3 *__restrict__ vertices, const int3 *__restrict__ triangles,
                                      float3 *flow, float *area, int n)
{
    for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += gridDim.x * blockDim.x) {
        const int3 tri = triangles[t];
        const float3 p[3] = {vertices[tri.x], vertices[tri.y], vertices[tri.z]};
        const int id[3] = {tri.x, tri.y, tri.z};
        const float double_area = length(cross(p[1] - p[0], p[2] - p[0]));
        if (double_area < 1e-12f)  // a sliver
            continue;

        Corner corner[3];
        for (int k = 0; k < 3; ++k) {
            const float3 a = p[k], b = p[(k + 1) % 3], c = p[(k + 2) % 3];
            corner[k].cot = cotangent(b - a, c - a, double_area);
            corner[k].edge = c - b;
        }
        for (int k = 0; k < 3; ++k) {
            const Corner &left = corner[(k + 1) % 3], &right = corner[(k + 2) % 3];
            atomicAdd3(&flow[id[k]], 0.5f * (right.cot * right.edge - left.cot * left.edge));
            atomicAdd(&area[id[k]], double_area / 6.0f);
        }
    }
}
