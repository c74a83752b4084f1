// neo_hookean_adj: adjoint of neo_hookean (neo_hookean.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform neo_hookean.cu --of force,energy --wrt x,material,force
//
// Call with x, elements and material as they were before neo_hookean. Seed adj_energy
// with dJ/denergy: it is left alone, because neo_hookean stores each element of energy
// at most once. adj_force comes in as dJ/dforce after neo_hookean and goes out as
// dJ/dforce before it, element by element. dJ/dx is added to adj_x; dJ/dmaterial is
// added to adj_material. force and energy are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   el.volume, mu, lambda,      reloaded   still in its variable
//   t.r0.x (line 27),
//   t.r0.y (line 27),
//   t.r0.z (line 27),
//   t.r1.x (line 27),
//   t.r1.y (line 27),
//   t.r1.z (line 27),
//   t.r2.x (line 27),
//   t.r2.y (line 27),
//   t.r2.z (line 27), f.r0.x,
//   f.r0.y, f.r0.z, f.r1.x,
//   f.r1.y, f.r1.z, f.r2.x,
//   f.r2.y, f.r2.z, ic, j,
//   alpha, s (line 33), a.x,
//   a.y, a.z, b.x, b.y, b.z,
//   c.x, c.y, c.z,
//   t.r0.x (line 34),
//   t.r0.y (line 34),
//   t.r0.z (line 34),
//   t.r1.x (line 34),
//   t.r1.y (line 34),
//   t.r1.z (line 34),
//   t.r2.x (line 34),
//   t.r2.y (line 34),
//   t.r2.z (line 34)
//
// How adjoints are added up:
//   adj_material[..].mu       +=, one owner   one thread per element
//   adj_material[..].lambda   +=, one owner   one thread per element
//   adj_x[..].x               atomicAdd       elements.node.x may repeat
//   adj_x[..].y               atomicAdd       elements.node.x may repeat
//   adj_x[..].z               atomicAdd       elements.node.x may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Mat3 {
    float3 r0, r1, r2;
};
struct Material {
    float mu, lambda;
};
struct Element {
    int4 node;
    Mat3 inv_rest;  // inverse of the edges' matrix at rest
    float volume;
};

static __host__ __device__ __forceinline__ float sq(float x)
{
    return x * x;
}

static __device__ float sq_adj(float x, float adj_sq)
{
    // vec.cuh:26:  return x * x
    return 2.0f * x * adj_sq;
}

extern "C" __global__ void neo_hookean_adj(const float3 *__restrict__ x, float3 *adj_x,
                                           const Element *__restrict__ elements,
                                           const Material *__restrict__ material,
                                           Material *adj_material,
                                           float3 *force, float3 *adj_force,
                                           float *energy, const float *adj_energy, int n)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n)
        return;
    const Element el = elements[e];
    const float mu = material[e].mu;
    const float lambda = material[e].lambda;

    const float3 origin = x[el.node.x];
    float3 a = make_float3(x[el.node.y].x - origin.x, x[el.node.y].y - origin.y,
                           x[el.node.y].z - origin.z);
    float3 b = make_float3(x[el.node.z].x - origin.x, x[el.node.z].y - origin.y,
                           x[el.node.z].z - origin.z);
    float3 c = make_float3(x[el.node.w].x - origin.x, x[el.node.w].y - origin.y,
                           x[el.node.w].z - origin.z);
    Mat3 ds;
    ds.r0.x = a.x;
    ds.r0.y = b.x;
    ds.r0.z = c.x;
    ds.r1.x = a.y;
    ds.r1.y = b.y;
    ds.r1.z = c.y;
    ds.r2.x = a.z;
    ds.r2.y = b.z;
    ds.r2.z = c.z;
    Mat3 t;
    t.r0.x = el.inv_rest.r0.x;
    t.r0.y = el.inv_rest.r1.x;
    t.r0.z = el.inv_rest.r2.x;
    t.r1.x = el.inv_rest.r0.y;
    t.r1.y = el.inv_rest.r1.y;
    t.r1.z = el.inv_rest.r2.y;
    t.r2.x = el.inv_rest.r0.z;
    t.r2.y = el.inv_rest.r1.z;
    t.r2.z = el.inv_rest.r2.z;
    float3 a_2 = make_float3(t.r0.x * ds.r0.x + t.r0.y * ds.r0.y + t.r0.z * ds.r0.z,
                             t.r1.x * ds.r0.x + t.r1.y * ds.r0.y + t.r1.z * ds.r0.z,
                             t.r2.x * ds.r0.x + t.r2.y * ds.r0.y + t.r2.z * ds.r0.z);
    float3 b_2 = make_float3(t.r0.x * ds.r1.x + t.r0.y * ds.r1.y + t.r0.z * ds.r1.z,
                             t.r1.x * ds.r1.x + t.r1.y * ds.r1.y + t.r1.z * ds.r1.z,
                             t.r2.x * ds.r1.x + t.r2.y * ds.r1.y + t.r2.z * ds.r1.z);
    float3 c_2 = make_float3(t.r0.x * ds.r2.x + t.r0.y * ds.r2.y + t.r0.z * ds.r2.z,
                             t.r1.x * ds.r2.x + t.r1.y * ds.r2.y + t.r1.z * ds.r2.z,
                             t.r2.x * ds.r2.x + t.r2.y * ds.r2.y + t.r2.z * ds.r2.z);
    Mat3 f;
    f.r0.x = a_2.x;
    f.r0.y = a_2.y;
    f.r0.z = a_2.z;
    f.r1.x = b_2.x;
    f.r1.y = b_2.y;
    f.r1.z = b_2.z;
    f.r2.x = c_2.x;
    f.r2.y = c_2.y;
    f.r2.z = c_2.z;
    const float ic = f.r0.x * f.r0.x + f.r0.y * f.r0.y + f.r0.z * f.r0.z
                     + (f.r1.x * f.r1.x + f.r1.y * f.r1.y + f.r1.z * f.r1.z)
                     + (f.r2.x * f.r2.x + f.r2.y * f.r2.y + f.r2.z * f.r2.z);
    const float j = f.r0.x * (f.r1.y * f.r2.z - f.r1.z * f.r2.y)
                    + f.r0.y * (f.r1.z * f.r2.x - f.r1.x * f.r2.z)
                    + f.r0.z * (f.r1.x * f.r2.y - f.r1.y * f.r2.x);
    const float alpha = 1.0f + 0.75f * mu / lambda;

    float s = mu * (1.0f - 1.0f / (ic + 1.0f));
    float s_2 = lambda * (j - alpha);
    float3 a_3 = make_float3(f.r1.y * f.r2.z - f.r1.z * f.r2.y, f.r1.z * f.r2.x - f.r1.x * f.r2.z,
                             f.r1.x * f.r2.y - f.r1.y * f.r2.x);
    float3 b_3 = make_float3(f.r2.y * f.r0.z - f.r2.z * f.r0.y, f.r2.z * f.r0.x - f.r2.x * f.r0.z,
                             f.r2.x * f.r0.y - f.r2.y * f.r0.x);
    float3 c_3 = make_float3(f.r0.y * f.r1.z - f.r0.z * f.r1.y, f.r0.z * f.r1.x - f.r0.x * f.r1.z,
                             f.r0.x * f.r1.y - f.r0.y * f.r1.x);
    const Mat3 t_2 = el.inv_rest;

    // vec.cuh:37:  atomicAdd(&where->z, v.z)
    float3 adj_v;
    adj_v.z = adj_force[el.node.x].z;

    // vec.cuh:36:  atomicAdd(&where->y, v.y)
    adj_v.y = adj_force[el.node.x].y;
    // vec.cuh:35:  atomicAdd(&where->x, v.x)
    adj_v.x = adj_force[el.node.x].x;

    // 38:  -(h.r0 + h.r1 + h.r2)
    Mat3 adj_h;
    adj_h.r0.z = -adj_v.z;
    adj_h.r1.z = -adj_v.z;
    adj_h.r2.z = -adj_v.z;
    adj_h.r0.y = -adj_v.y;
    adj_h.r1.y = -adj_v.y;
    adj_h.r2.y = -adj_v.y;
    adj_h.r0.x = -adj_v.x;
    adj_h.r1.x = -adj_v.x;
    adj_h.r2.x = -adj_v.x;

    // vec.cuh:37:  atomicAdd(&where->z, v.z)
    adj_h.r2.z += adj_force[el.node.w].z;
    // vec.cuh:36:  atomicAdd(&where->y, v.y)
    adj_h.r2.y += adj_force[el.node.w].y;
    // vec.cuh:35:  atomicAdd(&where->x, v.x)
    adj_h.r2.x += adj_force[el.node.w].x;
    // vec.cuh:37:  atomicAdd(&where->z, v.z)
    adj_h.r1.z += adj_force[el.node.z].z;
    // vec.cuh:36:  atomicAdd(&where->y, v.y)
    adj_h.r1.y += adj_force[el.node.z].y;
    // vec.cuh:35:  atomicAdd(&where->x, v.x)
    adj_h.r1.x += adj_force[el.node.z].x;
    // vec.cuh:37:  atomicAdd(&where->z, v.z)
    adj_h.r0.z += adj_force[el.node.y].z;
    // vec.cuh:36:  atomicAdd(&where->y, v.y)
    adj_h.r0.y += adj_force[el.node.y].y;
    // vec.cuh:35:  atomicAdd(&where->x, v.x)
    adj_h.r0.x += adj_force[el.node.y].x;

    // 33:  const Mat3 p = mu * (1.0f - 1.0f / (ic + 1.0f)) * f + lambda * (j - alpha) *
    //      f.cofactor()
    float3 adj_c = make_float3(-(el.volume
                                 * (t_2.r2.x * adj_h.r2.z + t_2.r1.x * adj_h.r1.z
                                    + t_2.r0.x * adj_h.r0.z)),
                               -(el.volume
                                 * (t_2.r2.y * adj_h.r2.z + t_2.r1.y * adj_h.r1.z
                                    + t_2.r0.y * adj_h.r0.z)),
                               -(el.volume
                                 * (t_2.r2.z * adj_h.r2.z + t_2.r1.z * adj_h.r1.z
                                    + t_2.r0.z * adj_h.r0.z)));
    float3 adj_b = make_float3(-(el.volume
                                 * (t_2.r2.x * adj_h.r2.y + t_2.r1.x * adj_h.r1.y
                                    + t_2.r0.x * adj_h.r0.y)),
                               -(el.volume
                                 * (t_2.r2.y * adj_h.r2.y + t_2.r1.y * adj_h.r1.y
                                    + t_2.r0.y * adj_h.r0.y)),
                               -(el.volume
                                 * (t_2.r2.z * adj_h.r2.y + t_2.r1.z * adj_h.r1.y
                                    + t_2.r0.z * adj_h.r0.y)));
    float3 adj_a = make_float3(-(el.volume
                                 * (t_2.r2.x * adj_h.r2.x + t_2.r1.x * adj_h.r1.x
                                    + t_2.r0.x * adj_h.r0.x)),
                               -(el.volume
                                 * (t_2.r2.y * adj_h.r2.x + t_2.r1.y * adj_h.r1.x
                                    + t_2.r0.y * adj_h.r0.x)),
                               -(el.volume
                                 * (t_2.r2.z * adj_h.r2.x + t_2.r1.z * adj_h.r1.x
                                    + t_2.r0.z * adj_h.r0.x)));

    // 33:  lambda * (j - alpha) * f.cofactor()
    float adj_s_2 = c_3.z * adj_c.z + c_3.y * adj_c.y + c_3.x * adj_c.x + b_3.z * adj_b.z
                    + b_3.y * adj_b.y + b_3.x * adj_b.x + a_3.z * adj_a.z;
    float3 adj_c_3 = make_float3(s_2 * adj_c.x, s_2 * adj_c.y, s_2 * adj_c.z);
    float3 adj_b_3 = make_float3(s_2 * adj_b.x, s_2 * adj_b.y, s_2 * adj_b.z);
    float3 adj_a_3;
    adj_a_3.z = s_2 * adj_a.z;
    adj_s_2 += a_3.y * adj_a.y + a_3.x * adj_a.x;
    adj_a_3.y = s_2 * adj_a.y;
    adj_a_3.x = s_2 * adj_a.x;

    // mat3.cuh:17:  cross(r0, r1)
    Mat3 adj_f;
    adj_f.r0.x = f.r1.y * adj_c_3.z - f.r1.z * adj_c_3.y;
    adj_f.r1.y = f.r0.x * adj_c_3.z - f.r0.z * adj_c_3.x;
    adj_f.r0.y = f.r1.z * adj_c_3.x - f.r1.x * adj_c_3.z;
    adj_f.r1.x = f.r0.z * adj_c_3.y - f.r0.y * adj_c_3.z;
    adj_f.r0.z = f.r1.x * adj_c_3.y - f.r1.y * adj_c_3.x;
    adj_f.r1.z = f.r0.y * adj_c_3.x - f.r0.x * adj_c_3.y;

    // mat3.cuh:17:  cross(r2, r0)
    adj_f.r2.x = f.r0.y * adj_b_3.z - f.r0.z * adj_b_3.y;
    adj_f.r0.y += f.r2.x * adj_b_3.z - f.r2.z * adj_b_3.x;
    adj_f.r2.y = f.r0.z * adj_b_3.x - f.r0.x * adj_b_3.z;
    adj_f.r0.x += f.r2.z * adj_b_3.y - f.r2.y * adj_b_3.z;
    adj_f.r2.z = f.r0.x * adj_b_3.y - f.r0.y * adj_b_3.x;
    adj_f.r0.z += f.r2.y * adj_b_3.x - f.r2.x * adj_b_3.y;

    // mat3.cuh:17:  cross(r1, r2)
    adj_f.r1.x += f.r2.y * adj_a_3.z - f.r2.z * adj_a_3.y;
    adj_f.r1.y += f.r2.z * adj_a_3.x - f.r2.x * adj_a_3.z;
    adj_f.r1.z += f.r2.x * adj_a_3.y - f.r2.y * adj_a_3.x;
    adj_f.r2.x += f.r1.z * adj_a_3.y - f.r1.y * adj_a_3.z;
    adj_f.r2.y += f.r1.x * adj_a_3.z - f.r1.z * adj_a_3.x;
    adj_f.r2.z += f.r1.y * adj_a_3.x - f.r1.x * adj_a_3.y;

    // 33:  lambda * (j - alpha)
    float adj_lambda = (j - alpha) * adj_s_2;
    float g = lambda * adj_s_2;
    float adj_j = g;
    float adj_alpha = -g;

    // 33:  mu * (1.0f - 1.0f / (ic + 1.0f)) * f
    float adj_s = f.r2.z * adj_c.z + f.r2.y * adj_c.y + f.r2.x * adj_c.x + f.r1.z * adj_b.z
                  + f.r1.y * adj_b.y + f.r1.x * adj_b.x + f.r0.z * adj_a.z;
    adj_f.r0.z += s * adj_a.z;
    adj_f.r1.x += s * adj_b.x;
    adj_f.r1.y += s * adj_b.y;
    adj_f.r1.z += s * adj_b.z;
    adj_f.r2.x += s * adj_c.x;
    adj_f.r2.y += s * adj_c.y;
    adj_f.r2.z += s * adj_c.z;
    adj_s += f.r0.y * adj_a.y + f.r0.x * adj_a.x;
    adj_f.r0.x += s * adj_a.x;
    adj_f.r0.y += s * adj_a.y;

    // 33:  mu * (1.0f - 1.0f / (ic + 1.0f))
    float adj_mu = (1.0f - 1.0f / (ic + 1.0f)) * adj_s;
    float r = 1.0f / (ic + 1.0f);
    float adj_ic = mu * r * r * adj_s;

    // 30:  energy[e] = el.volume * (0.5f * mu * (ic - 3.0f) + 0.5f * lambda * sq(j - alpha) - 0.5f
    //      * mu * logf(ic + 1.0f))
    float g_2 = el.volume * adj_energy[e];
    adj_mu += (0.5f * (ic - 3.0f) - 0.5f * logf(ic + 1.0f)) * g_2;
    adj_ic += 0.5f * mu * g_2 - 0.5f * mu * g_2 / (ic + 1.0f);
    adj_lambda += 0.5f * sq(j - alpha) * g_2;
    float g_3 = sq_adj(j - alpha, 0.5f * lambda * g_2);
    adj_j += g_3;
    adj_alpha -= g_3;

    // 29:  const float alpha = 1.0f + 0.75f * mu / lambda
    float g_4 = adj_alpha / lambda;
    adj_mu += 0.75f * g_4;
    adj_lambda -= 0.75f * mu / lambda * g_4;

    // 23:  const float mu = material[e].mu
    adj_material[e].mu += adj_mu;
    // 23:  lambda = material[e].lambda
    adj_material[e].lambda += adj_lambda;

    // 28:  j = f.det()
    adj_f.r0.x += (f.r1.y * f.r2.z - f.r1.z * f.r2.y) * adj_j;
    float g_5 = f.r0.x * adj_j;
    adj_f.r0.y += (f.r1.z * f.r2.x - f.r1.x * f.r2.z) * adj_j;
    adj_f.r1.y += f.r2.z * g_5;
    adj_f.r1.z -= f.r2.y * g_5;
    adj_f.r2.y -= f.r1.z * g_5;
    adj_f.r2.z += f.r1.y * g_5;
    float g_6 = f.r0.y * adj_j;
    adj_f.r0.z += (f.r1.x * f.r2.y - f.r1.y * f.r2.x) * adj_j;
    adj_f.r1.x -= f.r2.z * g_6;
    adj_f.r1.z += f.r2.x * g_6;
    adj_f.r2.x += f.r1.z * g_6;
    adj_f.r2.z -= f.r1.x * g_6;
    float g_7 = f.r0.z * adj_j;
    adj_f.r1.x += f.r2.y * g_7;
    adj_f.r1.y -= f.r2.x * g_7;
    adj_f.r2.x -= f.r1.y * g_7;
    adj_f.r2.y += f.r1.x * g_7;

    // 28:  const float ic = f.norm2()
    adj_f.r0.x += 2.0f * f.r0.x * adj_ic;
    adj_f.r0.y += 2.0f * f.r0.y * adj_ic;
    adj_f.r0.z += 2.0f * f.r0.z * adj_ic;
    adj_f.r1.x += 2.0f * f.r1.x * adj_ic;
    adj_f.r1.y += 2.0f * f.r1.y * adj_ic;
    adj_f.r1.z += 2.0f * f.r1.z * adj_ic;
    adj_f.r2.x += 2.0f * f.r2.x * adj_ic;
    adj_f.r2.y += 2.0f * f.r2.y * adj_ic;
    adj_f.r2.z += 2.0f * f.r2.z * adj_ic;

    // 27:  ds * el.inv_rest
    Mat3 adj_ds;
    adj_ds.r2.x = t.r2.x * adj_f.r2.z + t.r1.x * adj_f.r2.y + t.r0.x * adj_f.r2.x;
    adj_ds.r2.y = t.r2.y * adj_f.r2.z + t.r1.y * adj_f.r2.y + t.r0.y * adj_f.r2.x;
    adj_ds.r2.z = t.r2.z * adj_f.r2.z + t.r1.z * adj_f.r2.y + t.r0.z * adj_f.r2.x;
    adj_ds.r1.x = t.r2.x * adj_f.r1.z + t.r1.x * adj_f.r1.y + t.r0.x * adj_f.r1.x;
    adj_ds.r1.y = t.r2.y * adj_f.r1.z + t.r1.y * adj_f.r1.y + t.r0.y * adj_f.r1.x;
    adj_ds.r1.z = t.r2.z * adj_f.r1.z + t.r1.z * adj_f.r1.y + t.r0.z * adj_f.r1.x;
    adj_ds.r0.x = t.r2.x * adj_f.r0.z + t.r1.x * adj_f.r0.y + t.r0.x * adj_f.r0.x;
    adj_ds.r0.y = t.r2.y * adj_f.r0.z + t.r1.y * adj_f.r0.y + t.r0.y * adj_f.r0.x;
    adj_ds.r0.z = t.r2.z * adj_f.r0.z + t.r1.z * adj_f.r0.y + t.r0.z * adj_f.r0.x;

    // 26:  x[el.node.w] - origin
    atomicAdd(&adj_x[el.node.w].z, adj_ds.r2.z);
    float3 adj_origin;
    adj_origin.z = -adj_ds.r2.z;
    atomicAdd(&adj_x[el.node.w].y, adj_ds.r1.z);
    adj_origin.y = -adj_ds.r1.z;
    atomicAdd(&adj_x[el.node.w].x, adj_ds.r0.z);
    adj_origin.x = -adj_ds.r0.z;

    // 26:  x[el.node.z] - origin
    atomicAdd(&adj_x[el.node.z].x, adj_ds.r0.y);
    adj_origin.x -= adj_ds.r0.y;
    atomicAdd(&adj_x[el.node.z].y, adj_ds.r1.y);
    adj_origin.y -= adj_ds.r1.y;
    atomicAdd(&adj_x[el.node.z].z, adj_ds.r2.y);
    adj_origin.z -= adj_ds.r2.y;

    // 26:  x[el.node.y] - origin
    atomicAdd(&adj_x[el.node.y].x, adj_ds.r0.x);
    adj_origin.x -= adj_ds.r0.x;
    atomicAdd(&adj_x[el.node.y].y, adj_ds.r1.x);
    adj_origin.y -= adj_ds.r1.x;
    atomicAdd(&adj_x[el.node.y].z, adj_ds.r2.x);
    adj_origin.z -= adj_ds.r2.x;

    // 25:  const float3 origin = x[el.node.x]
    atomicAdd(&adj_x[el.node.x].x, adj_origin.x);
    atomicAdd(&adj_x[el.node.x].y, adj_origin.y);
    atomicAdd(&adj_x[el.node.x].z, adj_origin.z);
}
