// gray_scott_adj: adjoint of gray_scott (gray_scott.cu:26).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform gray_scott.cu --of u_new,v_new --wrt u,v,p
//
// Call with u and v as they were before gray_scott. Seed adj_u_new with dJ/du_new: it
// is left alone, because gray_scott stores each element of u_new at most once. Seed
// adj_v_new with dJ/dv_new: it is left alone, because gray_scott stores each element of
// v_new at most once. dJ/du is added to adj_u; dJ/dv is added to adj_v; dJ/dp is added
// to adj_p. u_new and v_new are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   reaction,          reloaded   still in its variable
//   laplacian_value,
//   laplacian_value2
//   v[..], u[..]       reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]    atomicAdd           neighbouring threads share u[c], a[j * nx + w],
//                                    a[j * nx + e], a[s * nx + i] and others
//   adj_v[..]    atomicAdd           neighbouring threads share v[c], a[j * nx + w],
//                                    a[j * nx + e], a[s * nx + i] and others
//   adj_p.du     reduced per block   every thread has its share in it
//   adj_p.dv     reduced per block   every thread has its share in it
//   adj_p.feed   reduced per block   every thread has its share in it
//   adj_p.kill   reduced per block   every thread has its share in it
//   adj_p.dt     reduced per block   every thread has its share in it
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

struct Params {
    float du, dv;      // diffusion
    float feed, kill;  // reaction
    float dt;
};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

static __device__ __forceinline__ int wrap(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

extern "C" __global__ void gray_scott_adj(const float *__restrict__ u, float *__restrict__ adj_u,
                                          const float *__restrict__ v, float *__restrict__ adj_v,
                                          float *__restrict__ u_new,
                                          const float *__restrict__ adj_u_new,
                                          float *__restrict__ v_new,
                                          const float *__restrict__ adj_v_new,
                                          const Params p, Params *adj_p, int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    float adj_p_dv_sum = 0.0f;
    float g = 0.0f;
    float adj_p_du_sum = 0.0f;
    float adj_p_feed_sum = 0.0f;
    float adj_p_dt_sum = 0.0f;
    if (i < nx && j < ny) {
        const int c = j * nx + i;
        const float reaction = u[c] * v[c] * v[c];
        const int w = wrap(i - 1, nx);
        const int e = wrap(i + 1, nx);
        const int s = wrap(j - 1, ny);
        const int n = wrap(j + 1, ny);
        const float sides = u[j * nx + w] + u[j * nx + e] + u[s * nx + i] + u[n * nx + i];
        const float corners = u[s * nx + w] + u[s * nx + e] + u[n * nx + w] + u[n * nx + e];
        float laplacian_value = (float)0.2 * sides + (float)0.05 * corners - u[j * nx + i];
        const int w_2 = wrap(i - 1, nx);
        const int e_2 = wrap(i + 1, nx);
        const int s_2 = wrap(j - 1, ny);
        const int n_2 = wrap(j + 1, ny);
        const float sides_2 = v[j * nx + w_2] + v[j * nx + e_2] + v[s_2 * nx + i] + v[n_2 * nx + i];
        const float corners_2 = v[s_2 * nx + w_2] + v[s_2 * nx + e_2] + v[n_2 * nx + w_2]
                                + v[n_2 * nx + e_2];
        float laplacian_value2 = (float)0.2 * sides_2 + (float)0.05 * corners_2 - v[j * nx + i];

        // 38:  v_new[c] = v[c] + p.dt * (p.dv * laplacian(v, i, j, nx, ny) + reaction - (p.feed +
        //      p.kill) * v[c])
        float g_2 = adj_v_new[c];
        float adj_v_c = g_2;
        adj_p_dt_sum = (p.dv * laplacian_value2 + reaction - (p.feed + p.kill) * v[c]) * g_2;
        float g_3 = p.dt * g_2;
        adj_p_dv_sum = laplacian_value2 * g_3;
        float adj_laplacian_value2 = p.dv * g_3;
        float adj_reaction = g_3;
        g = -(v[c] * g_3);
        adj_p_feed_sum = g;
        adj_v_c -= (p.feed + p.kill) * g_3;

        // 38:  laplacian(v, i, j, nx, ny)
        float adj_sides_2 = (float)0.2 * adj_laplacian_value2;
        float adj_corners_2 = (float)0.05 * adj_laplacian_value2;
        atomicAdd(&adj_v[j * nx + i], -adj_laplacian_value2);

        // 21:  const T corners = a[s * nx + w] + a[s * nx + e] + a[n * nx + w] + a[n * nx + e]
        atomicAdd(&adj_v[s_2 * nx + w_2], adj_corners_2);
        atomicAdd(&adj_v[s_2 * nx + e_2], adj_corners_2);
        atomicAdd(&adj_v[n_2 * nx + w_2], adj_corners_2);
        atomicAdd(&adj_v[n_2 * nx + e_2], adj_corners_2);

        // 20:  const T sides = a[j * nx + w] + a[j * nx + e] + a[s * nx + i] + a[n * nx + i]
        atomicAdd(&adj_v[j * nx + w_2], adj_sides_2);
        atomicAdd(&adj_v[j * nx + e_2], adj_sides_2);
        atomicAdd(&adj_v[s_2 * nx + i], adj_sides_2);
        atomicAdd(&adj_v[n_2 * nx + i], adj_sides_2);

        // 37:  u_new[c] = u[c] + p.dt * (p.du * laplacian(u, i, j, nx, ny) - reaction + p.feed *
        //      (1.0f - u[c]))
        float g = adj_u_new[c];
        float adj_u_c = g;
        adj_p_dt_sum += (p.du * laplacian_value - reaction + p.feed * (1.0f - u[c])) * g;
        float g_4 = p.dt * g;
        adj_p_du_sum = laplacian_value * g_4;
        float adj_laplacian_value = p.du * g_4;
        adj_reaction -= g_4;
        adj_p_feed_sum += (1.0f - u[c]) * g_4;
        adj_u_c -= p.feed * g_4;

        // 37:  laplacian(u, i, j, nx, ny)
        float adj_sides = (float)0.2 * adj_laplacian_value;
        float adj_corners = (float)0.05 * adj_laplacian_value;
        atomicAdd(&adj_u[j * nx + i], -adj_laplacian_value);

        // 21:  const T corners = a[s * nx + w] + a[s * nx + e] + a[n * nx + w] + a[n * nx + e]
        atomicAdd(&adj_u[s * nx + w], adj_corners);
        atomicAdd(&adj_u[s * nx + e], adj_corners);
        atomicAdd(&adj_u[n * nx + w], adj_corners);
        atomicAdd(&adj_u[n * nx + e], adj_corners);

        // 20:  const T sides = a[j * nx + w] + a[j * nx + e] + a[s * nx + i] + a[n * nx + i]
        atomicAdd(&adj_u[j * nx + w], adj_sides);
        atomicAdd(&adj_u[j * nx + e], adj_sides);
        atomicAdd(&adj_u[s * nx + i], adj_sides);
        atomicAdd(&adj_u[n * nx + i], adj_sides);

        // 36:  const float reaction = u[c] * v[c] * v[c]
        atomicAdd(&adj_u[c], adj_u_c + v[c] * v[c] * adj_reaction);
        atomicAdd(&adj_v[c], adj_v_c + 2.0f * u[c] * v[c] * adj_reaction);
    }
    block_add(&adj_p->du, adj_p_du_sum);
    block_add(&adj_p->dv, adj_p_dv_sum);
    block_add(&adj_p->feed, adj_p_feed_sum);
    block_add(&adj_p->kill, g);
    block_add(&adj_p->dt, adj_p_dt_sum);
}
