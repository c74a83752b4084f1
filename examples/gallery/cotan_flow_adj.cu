// cotan_flow_adj: adjoint of cotan_flow (cotan_flow.cu:14).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cotan_flow.cu --of flow,area --wrt vertices,flow,area
//
// Call with vertices and triangles as they were before cotan_flow. adj_flow comes in as
// dJ/dflow after cotan_flow and goes out as dJ/dflow before it, element by element.
// adj_area comes in as dJ/darea after cotan_flow and goes out as dJ/darea before it,
// element by element. dJ/dvertices is added to adj_vertices. flow and area are neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   tri.x, tri.y, tri.z,       recomputed   from values at hand, in the reversed
//                                           iteration
//   a.x (line 21),
//   a.y (line 21),
//   a.z (line 21), b.x, b.y,
//   b.z, double_area, u.x,
//   u.y, u.z, v.x, v.y, v.z,
//   where_at, s
//   corner[..].edge.x,         reloaded     no later store goes to it
//   corner[..].edge.y,
//   corner[..].edge.z,
//   id[..]
//
// How adjoints are added up:
//   adj_vertices[..].x   atomicAdd   triangles.x may repeat
//   adj_vertices[..].y   atomicAdd   triangles.x may repeat
//   adj_vertices[..].z   atomicAdd   triangles.x may repeat
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: arrays don't overlap, no index wraps.

struct Corner {
    float cot;
    float3 edge;  // the opposite edge
};

extern "C" __global__ void cotan_flow_adj(const float3 *__restrict__ vertices, float3 *adj_vertices,
                                          const int3 *__restrict__ triangles,
                                          float3 *flow, float3 *adj_flow,
                                          float *area, float *adj_area, int n)
{
    for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += gridDim.x * blockDim.x) {
        const int3 tri = triangles[t];
        float3 p[3];
        p[0].x = vertices[tri.x].x;
        p[1].x = vertices[tri.y].x;
        p[2].x = vertices[tri.z].x;
        p[0].y = vertices[tri.x].y;
        p[1].y = vertices[tri.y].y;
        p[2].y = vertices[tri.z].y;
        p[0].z = vertices[tri.x].z;
        p[1].z = vertices[tri.y].z;
        p[2].z = vertices[tri.z].z;
        const int id[3] = {tri.x, tri.y, tri.z};
        float3 a = make_float3(p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z);
        float3 b = make_float3(p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z);
        float3 a_2 = make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                 a.x * b.y - a.y * b.x);
        const float double_area = sqrtf(a_2.x * a_2.x + a_2.y * a_2.y + a_2.z * a_2.z);
        float3 adj_p[3] = {};
        float adj_double_area = 0.0f;
        if (!(double_area < 1e-12f)) {
            Corner corner[3];
            for (int k = 0; k < 3; ++k) {
                const float3 a = p[k];
                const float3 b = p[(k + 1) % 3];
                const float3 c = p[(k + 2) % 3];
                float3 u = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
                float3 v = make_float3(c.x - a.x, c.y - a.y, c.z - a.z);
                corner[k].cot = (u.x * v.x + u.y * v.y + u.z * v.z) / double_area;
                corner[k].edge = make_float3(c.x - b.x, c.y - b.y, c.z - b.z);
            }
            Corner adj_corner[3] = {};
            for (int k = 0; k < 3; ++k) {
                int where_at = id[k];
                float s = corner[(k + 2) % 3].cot;
                float s_2 = corner[(k + 1) % 3].cot;

                // 34:  atomicAdd(&area[id[k]], double_area / 6.0f)
                adj_double_area += adj_area[id[k]] / 6.0f;

                // 33:  0.5f * (right.cot * right.edge - left.cot * left.edge)
                float g = 0.5f * adj_flow[where_at].z;
                float adj_s = corner[(k + 2) % 3].edge.z * g;
                adj_corner[(k + 2) % 3].edge.z += s * g;
                float adj_s_2 = -(corner[(k + 1) % 3].edge.z * g);
                adj_corner[(k + 1) % 3].edge.z -= s_2 * g;
                float g_2 = 0.5f * adj_flow[where_at].y;
                adj_s += corner[(k + 2) % 3].edge.y * g_2;
                adj_corner[(k + 2) % 3].edge.y += s * g_2;
                adj_s_2 -= corner[(k + 1) % 3].edge.y * g_2;
                adj_corner[(k + 1) % 3].edge.y -= s_2 * g_2;
                float g_3 = 0.5f * adj_flow[where_at].x;
                adj_s += corner[(k + 2) % 3].edge.x * g_3;
                adj_corner[(k + 2) % 3].edge.x += s * g_3;
                adj_s_2 -= corner[(k + 1) % 3].edge.x * g_3;
                adj_corner[(k + 1) % 3].edge.x -= s_2 * g_3;

                // 33:  left.cot
                adj_corner[(k + 1) % 3].cot += adj_s_2;
                // 33:  right.cot
                adj_corner[(k + 2) % 3].cot += adj_s;
            }
            float per_double_area = 1.0f / double_area;
            for (int k = 2; k >= 0; --k) {
                const float a_x = p[k].x;
                const float a_y = p[k].y;
                const float a_z = p[k].z;
                const float b_x = p[(k + 1) % 3].x;
                const float b_y = p[(k + 1) % 3].y;
                const float b_z = p[(k + 1) % 3].z;
                const float c_x = p[(k + 2) % 3].x;
                const float c_y = p[(k + 2) % 3].y;
                const float c_z = p[(k + 2) % 3].z;
                float u_x = b_x - a_x;
                float u_y = b_y - a_y;
                float u_z = b_z - a_z;
                float v_x = c_x - a_x;
                float v_y = c_y - a_y;
                float v_z = c_z - a_z;

                // 29:  corner[k].edge = c - b
                float g = adj_corner[k].edge.z;
                float3 adj_c;
                adj_c.z = g;
                float3 adj_b;
                adj_b.z = -g;
                adj_corner[k].edge.z = 0.0f;
                float g_2 = adj_corner[k].edge.y;
                adj_c.y = g_2;
                adj_b.y = -g_2;
                adj_corner[k].edge.y = 0.0f;
                float g_3 = adj_corner[k].edge.x;
                adj_c.x = g_3;
                adj_b.x = -g_3;
                adj_corner[k].edge.x = 0.0f;

                // 28:  corner[k].cot = cotangent(b - a, c - a, double_area)
                float g_4 = adj_corner[k].cot * per_double_area;
                float3 adj_u;
                adj_u.x = v_x * g_4;
                float3 adj_v;
                adj_v.x = u_x * g_4;
                adj_u.y = v_y * g_4;
                adj_v.y = u_y * g_4;
                adj_u.z = v_z * g_4;
                adj_v.z = u_z * g_4;
                adj_double_area -= (u_x * v_x + u_y * v_y + u_z * v_z) * per_double_area * g_4;
                adj_corner[k].cot = 0.0f;

                // 28:  c - a
                adj_c.z += adj_v.z;
                float3 adj_a;
                adj_a.z = -adj_v.z;
                adj_c.y += adj_v.y;
                adj_a.y = -adj_v.y;
                adj_c.x += adj_v.x;
                adj_a.x = -adj_v.x;

                // 28:  b - a
                adj_b.x += adj_u.x;
                adj_a.x -= adj_u.x;
                adj_b.y += adj_u.y;
                adj_a.y -= adj_u.y;
                adj_b.z += adj_u.z;
                adj_a.z -= adj_u.z;

                // 27:  c = p[(k + 2) % 3]
                adj_p[(k + 2) % 3].x += adj_c.x;
                adj_p[(k + 2) % 3].y += adj_c.y;
                adj_p[(k + 2) % 3].z += adj_c.z;

                // 27:  b = p[(k + 1) % 3]
                adj_p[(k + 1) % 3].x += adj_b.x;
                adj_p[(k + 1) % 3].y += adj_b.y;
                adj_p[(k + 1) % 3].z += adj_b.z;

                // 27:  const float3 a = p[k]
                adj_p[k].x += adj_a.x;
                adj_p[k].y += adj_a.y;
                adj_p[k].z += adj_a.z;
            }
        }
        float3 adj_a_2 = {};

        // 21:  const float double_area = length(cross(p[1] - p[0], p[2] - p[0]))
        if (adj_double_area != 0.0f) {
            float g = 0.5f * adj_double_area / double_area;
            adj_a_2 = make_float3(2.0f * a_2.x * g, 2.0f * a_2.y * g, 2.0f * a_2.z * g);
        }

        // 21:  cross(p[1] - p[0], p[2] - p[0])
        float3 adj_a;
        adj_a.x = b.y * adj_a_2.z - b.z * adj_a_2.y;
        float3 adj_b;
        adj_b.y = a.x * adj_a_2.z - a.z * adj_a_2.x;
        adj_a.y = b.z * adj_a_2.x - b.x * adj_a_2.z;
        adj_b.x = a.z * adj_a_2.y - a.y * adj_a_2.z;
        adj_a.z = b.x * adj_a_2.y - b.y * adj_a_2.x;
        adj_b.z = a.y * adj_a_2.x - a.x * adj_a_2.y;

        // 21:  p[2] - p[0]
        adj_p[2].z += adj_b.z;
        adj_p[0].z -= adj_b.z;
        adj_p[2].y += adj_b.y;
        adj_p[0].y -= adj_b.y;
        adj_p[2].x += adj_b.x;
        adj_p[0].x -= adj_b.x;

        // 21:  p[1] - p[0]
        adj_p[1].z += adj_a.z;
        adj_p[0].z -= adj_a.z;
        adj_p[1].y += adj_a.y;
        adj_p[0].y -= adj_a.y;
        adj_p[1].x += adj_a.x;
        adj_p[0].x -= adj_a.x;

        // 19:  const float3 p[3] = {vertices[tri.x], vertices[tri.y], vertices[tri.z]}
        atomicAdd(&adj_vertices[tri.z].z, adj_p[2].z);
        atomicAdd(&adj_vertices[tri.y].z, adj_p[1].z);
        atomicAdd(&adj_vertices[tri.x].z, adj_p[0].z);
        atomicAdd(&adj_vertices[tri.z].y, adj_p[2].y);
        atomicAdd(&adj_vertices[tri.y].y, adj_p[1].y);
        atomicAdd(&adj_vertices[tri.x].y, adj_p[0].y);
        atomicAdd(&adj_vertices[tri.z].x, adj_p[2].x);
        atomicAdd(&adj_vertices[tri.y].x, adj_p[1].x);
        atomicAdd(&adj_vertices[tri.x].x, adj_p[0].x);
    }
}
