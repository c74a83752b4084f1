// s2sad: --of area,normal --wrt corner
// Areas and normals of triangles: double3, an array of vectors on the stack, indices in an int3.
__device__ double3 minus(double3 a, double3 b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

__global__ void areas(const int3 *triangles, const double3 *corner, double *area, double3 *normal, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m)
        return;
    int3 tri = triangles[t];
    double3 edge[2];
    edge[0] = minus(corner[tri.y], corner[tri.x]);
    edge[1] = minus(corner[tri.z], corner[tri.x]);
    double3 n;
    n.x = edge[0].y * edge[1].z - edge[0].z * edge[1].y;
    n.y = edge[0].z * edge[1].x - edge[0].x * edge[1].z;
    n.z = edge[0].x * edge[1].y - edge[0].y * edge[1].x;
    double twice = sqrt(n.x * n.x + n.y * n.y + n.z * n.z + 1e-9);
    area[t] = 0.5 * twice;
    normal[t] = make_double3(n.x / twice, n.y / twice, n.z / twice);
}
