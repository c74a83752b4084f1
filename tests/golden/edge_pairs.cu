// s2sad: --of force --wrt pos,rest
// Springs between nodes: an edge is a pair of indices.
__global__ void springs(const int2 *edges, const float2 *pos, const float *rest, float2 *force, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m)
        return;
    int2 edge = edges[e];
    float2 a = pos[edge.x], b = pos[edge.y];
    float2 d = make_float2(b.x - a.x, b.y - a.y);
    float len = sqrtf(d.x * d.x + d.y * d.y + 1e-6f);
    float pull = (len - rest[e]) / len;
    atomicAdd(&force[edge.x].x, pull * d.x);
    atomicAdd(&force[edge.x].y, pull * d.y);
    atomicAdd(&force[edge.y].x, -pull * d.x);
    atomicAdd(&force[edge.y].y, -pull * d.y);
}
