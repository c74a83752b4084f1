// areas_adj: adjoint of areas (triangle_areas.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform triangle_areas.cu --of area,normal --wrt corner
//
// Call with triangles and corner as they were before areas. Seed adj_area with
// dJ/darea: it is left alone, because areas stores each element of area at most once.
// Seed adj_normal with dJ/dnormal: it is left alone, because areas stores each element
// of normal at most once. dJ/dcorner is added to adj_corner. area and normal are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   n.x, n.y, n.z, twice      reloaded   still in its variable
//   edge[..].z, edge[..].y,   reloaded   no later store goes to it
//   edge[..].x
//
// How adjoints are added up:
//   adj_corner[..].x   atomicAdd   triangles.y may repeat
//   adj_corner[..].y   atomicAdd   triangles.y may repeat
//   adj_corner[..].z   atomicAdd   triangles.y may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void areas_adj(const int3 *triangles,
                          const double3 *corner, double3 *adj_corner,
                          double *area, const double *adj_area,
                          double3 *normal, const double3 *adj_normal, int m)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= m)
        return;
    int3 tri = triangles[t];
    double3 edge[2];
    edge[0] = make_double3(corner[tri.y].x - corner[tri.x].x, corner[tri.y].y - corner[tri.x].y,
                           corner[tri.y].z - corner[tri.x].z);
    edge[1] = make_double3(corner[tri.z].x - corner[tri.x].x, corner[tri.z].y - corner[tri.x].y,
                           corner[tri.z].z - corner[tri.x].z);
    double3 n;
    n.x = edge[0].y * edge[1].z - edge[0].z * edge[1].y;
    n.y = edge[0].z * edge[1].x - edge[0].x * edge[1].z;
    n.z = edge[0].x * edge[1].y - edge[0].y * edge[1].x;
    double twice = sqrt(n.x * n.x + n.y * n.y + n.z * n.z + 1e-9);

    // 23:  normal[t] = make_double3(n.x / twice, n.y / twice, n.z / twice)
    double g = adj_normal[t].z / twice;
    double3 adj_n;
    adj_n.z = g;
    double adj_twice = -(n.z / twice * g);
    double g_2 = adj_normal[t].y / twice;
    adj_n.y = g_2;
    adj_twice -= n.y / twice * g_2;
    double g_3 = adj_normal[t].x / twice;
    adj_n.x = g_3;
    adj_twice -= n.x / twice * g_3;

    // 22:  area[t] = 0.5 * twice
    adj_twice += 0.5 * adj_area[t];

    // 21:  double twice = sqrt(n.x * n.x + n.y * n.y + n.z * n.z + 1e-9)
    double g_4 = 0.5 * adj_twice / twice;
    adj_n.x += 2.0 * n.x * g_4;
    adj_n.y += 2.0 * n.y * g_4;
    adj_n.z += 2.0 * n.z * g_4;
    double3 adj_edge[2];
    adj_edge[0].y = 0.0;
    adj_edge[1].y = 0.0;
    adj_edge[0].x = 0.0;
    adj_edge[1].x = 0.0;

    // 20:  n.z = edge[0].x * edge[1].y - edge[0].y * edge[1].x
    adj_edge[0].x += edge[1].y * adj_n.z;
    adj_edge[1].y += edge[0].x * adj_n.z;
    adj_edge[1].x -= edge[0].y * adj_n.z;
    adj_edge[0].y -= edge[1].x * adj_n.z;
    adj_edge[0].z = 0.0;
    adj_edge[1].z = 0.0;

    // 19:  n.y = edge[0].z * edge[1].x - edge[0].x * edge[1].z
    adj_edge[0].z += edge[1].x * adj_n.y;
    adj_edge[1].x += edge[0].z * adj_n.y;
    adj_edge[0].x -= edge[1].z * adj_n.y;
    adj_edge[1].z -= edge[0].x * adj_n.y;

    // 18:  n.x = edge[0].y * edge[1].z - edge[0].z * edge[1].y
    adj_edge[0].y += edge[1].z * adj_n.x;
    adj_edge[1].z += edge[0].y * adj_n.x;
    adj_edge[1].y -= edge[0].z * adj_n.x;
    adj_edge[0].z -= edge[1].y * adj_n.x;

    // 16:  edge[1] = minus(corner[tri.z], corner[tri.x])
    double g_5 = adj_edge[1].z;
    atomicAdd(&adj_corner[tri.z].z, g_5);
    double adj_corner_z_tri_x = -g_5;
    double g_6 = adj_edge[1].y;
    atomicAdd(&adj_corner[tri.z].y, g_6);
    double adj_corner_y_tri_x = -g_6;
    double g_7 = adj_edge[1].x;
    atomicAdd(&adj_corner[tri.z].x, g_7);
    double adj_corner_x_tri_x = -g_7;

    // 15:  edge[0] = minus(corner[tri.y], corner[tri.x])
    double g_8 = adj_edge[0].z;
    atomicAdd(&adj_corner[tri.y].z, g_8);
    atomicAdd(&adj_corner[tri.x].z, adj_corner_z_tri_x - g_8);
    double g_9 = adj_edge[0].y;
    atomicAdd(&adj_corner[tri.y].y, g_9);
    atomicAdd(&adj_corner[tri.x].y, adj_corner_y_tri_x - g_9);
    double g_10 = adj_edge[0].x;
    atomicAdd(&adj_corner[tri.y].x, g_10);
    atomicAdd(&adj_corner[tri.x].x, adj_corner_x_tri_x - g_10);
}
