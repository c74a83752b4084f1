// springs_adj: adjoint of springs (edge_pairs.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform edge_pairs.cu --of force --wrt pos,rest
//
// Call with edges, pos and rest as they were before springs. Seed adj_force with
// dJ/dforce: it is left alone, because springs only adds to force. dJ/dpos is added to
// adj_pos; dJ/drest is added to adj_rest. force is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   d.x, d.y, len, pull   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_pos[..].x   atomicAdd   edges.x may repeat
//   adj_pos[..].y   atomicAdd   edges.x may repeat
//   adj_rest[..]    atomicAdd   unless the launch is 1-D, several threads read the same
//                               rest[e]
//
// Assumed: arrays don't overlap, no index wraps.

__global__ void springs_adj(const int2 *edges,
                            const float2 *pos, float2 *adj_pos,
                            const float *rest, float *adj_rest,
                            float2 *force, const float2 *adj_force, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m)
        return;
    int2 edge = edges[e];
    float2 a = pos[edge.x];
    float2 b = pos[edge.y];
    float2 d = make_float2(b.x - a.x, b.y - a.y);
    float len = sqrtf(d.x * d.x + d.y * d.y + 1e-6f);
    float pull = (len - rest[e]) / len;

    // 16:  atomicAdd(&force[edge.y].y, -pull * d.y)
    float g = adj_force[edge.y].y;
    float adj_pull = -(d.y * g);
    float2 adj_d;
    adj_d.y = -(pull * g);

    // 15:  atomicAdd(&force[edge.y].x, -pull * d.x)
    float g_2 = adj_force[edge.y].x;
    adj_pull -= d.x * g_2;
    adj_d.x = -(pull * g_2);

    // 14:  atomicAdd(&force[edge.x].y, pull * d.y)
    float g_3 = adj_force[edge.x].y;
    adj_pull += d.y * g_3;
    adj_d.y += pull * g_3;

    // 13:  atomicAdd(&force[edge.x].x, pull * d.x)
    float g_4 = adj_force[edge.x].x;
    adj_pull += d.x * g_4;
    adj_d.x += pull * g_4;

    // 12:  float pull = (len - rest[e]) / len
    float g_5 = adj_pull / len;
    atomicAdd(&adj_rest[e], -g_5);

    // 11:  float len = sqrtf(d.x * d.x + d.y * d.y + 1e-6f)
    float g_6 = 0.5f * (g_5 - pull * g_5) / len;
    adj_d.x += 2.0f * d.x * g_6;
    adj_d.y += 2.0f * d.y * g_6;

    // 9:  b = pos[edge.y]
    atomicAdd(&adj_pos[edge.y].x, adj_d.x);
    atomicAdd(&adj_pos[edge.y].y, adj_d.y);

    // 9:  float2 a = pos[edge.x]
    atomicAdd(&adj_pos[edge.x].x, -adj_d.x);
    atomicAdd(&adj_pos[edge.x].y, -adj_d.y);
}
