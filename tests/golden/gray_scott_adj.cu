// gray_scott_adj: adjoint of gray_scott (gray_scott.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform gray_scott.cu --of un,vn --wrt u,v
//
// Call with u and v as they were before gray_scott. Seed adj_un with dJ/dun: it is left
// alone, because gray_scott stores each element of un at most once. Seed adj_vn with
// dJ/dvn: it is left alone, because gray_scott stores each element of vn at most once.
// dJ/du is added to adj_u; dJ/dv is added to adj_v. un and vn are neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   v[..], u[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]   atomicAdd   neighbouring threads share u[c], a[(j) * nx + i - 1], a[j *
//                           nx + i + 1], a[(j - 1) * nx + i] and others
//   adj_v[..]   atomicAdd   neighbouring threads share v[c], a[(j) * nx + i - 1], a[j *
//                           nx + i + 1], a[(j - 1) * nx + i] and others
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

struct Params { float Du, Dv, F, k, dt; int nx, ny; };

__global__ void gray_scott_adj(const float *__restrict__ u, float *__restrict__ adj_u,
                               const float *__restrict__ v, float *__restrict__ adj_v,
                               float *un, const float *adj_un,
                               float *vn, const float *adj_vn, const Params p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i <= 0 || j <= 0 || i >= p.nx - 1 || j >= p.ny - 1)
        return;
    const int c = j * p.nx + i;

    // 17:  vn[c] = v[c] + p.dt * (p.Dv * lap<float>(v, i, j, p.nx) + uvv - (p.F + p.k) * v[c])
    float g = adj_vn[c];
    float adj_v_c = g;
    float g_2 = p.dt * g;
    float adj_lap_value2 = p.Dv * g_2;
    float adj_uvv = g_2;
    adj_v_c -= (p.F + p.k) * g_2;

    // 17:  lap<float>(v, i, j, p.nx)
    atomicAdd(&adj_v[j * p.nx + i - 1], adj_lap_value2);
    atomicAdd(&adj_v[j * p.nx + i + 1], adj_lap_value2);
    atomicAdd(&adj_v[(j - 1) * p.nx + i], adj_lap_value2);
    atomicAdd(&adj_v[(j + 1) * p.nx + i], adj_lap_value2);
    atomicAdd(&adj_v[j * p.nx + i], -(float)4 * adj_lap_value2);

    // 16:  un[c] = u[c] + p.dt * (p.Du * lap(u, i, j, p.nx) - uvv + p.F * (1.0f - u[c]))
    float g_3 = adj_un[c];
    float adj_u_c = g_3;
    float g_4 = p.dt * g_3;
    float adj_lap_value = p.Du * g_4;
    adj_uvv -= g_4;
    adj_u_c -= p.F * g_4;

    // 16:  lap(u, i, j, p.nx)
    atomicAdd(&adj_u[j * p.nx + i - 1], adj_lap_value);
    atomicAdd(&adj_u[j * p.nx + i + 1], adj_lap_value);
    atomicAdd(&adj_u[(j - 1) * p.nx + i], adj_lap_value);
    atomicAdd(&adj_u[(j + 1) * p.nx + i], adj_lap_value);
    atomicAdd(&adj_u[j * p.nx + i], -(float)4 * adj_lap_value);

    // 15:  const float uvv = u[c] * v[c] * v[c]
    atomicAdd(&adj_u[c], adj_u_c + v[c] * v[c] * adj_uvv);
    atomicAdd(&adj_v[c], adj_v_c + 2.0f * u[c] * v[c] * adj_uvv);
}
