// Reaction-diffusion: one explicit step of the Gray-Scott model on a torus.
// After J. Pearson, "Complex Patterns in a Simple System", Science 261 (1993).

struct Params {
    float du, dv;      // diffusion
    float feed, kill;  // reaction
    float dt;
};

__device__ __forceinline__ int wrap(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

template <typename T>
__device__ __forceinline__ T laplacian(const T *a, int i, int j, int nx, int ny)
{
    const int w = wrap(i - 1, nx), e = wrap(i + 1, nx);
    const int s = wrap(j - 1, ny), n = wrap(j + 1, ny);
    const T sides = a[j * nx + w] + a[j * nx + e] + a[s * nx + i] + a[n * nx + i];
    const T corners = a[s * nx + w] + a[s * nx + e] + a[n * nx + w] + a[n * nx + e];
    return T(0.2) * sides + T(0.05) * corners - a[j * nx + i];
}

// s2sad: --of u_new,v_new --wrt u,v,p
extern "C" __global__ void gray_scott(const float *__restrict__ u, const float *__restrict__ v,
                                      float *__restrict__ u_new, float *__restrict__ v_new, const Params p,
                                      int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;

    const int c = j * nx + i;
    const float reaction = u[c] * v[c] * v[c];
    u_new[c] = u[c] + p.dt * (p.du * laplacian(u, i, j, nx, ny) - reaction + p.feed * (1.0f - u[c]));
    v_new[c] = v[c] + p.dt * (p.dv * laplacian(v, i, j, nx, ny) + reaction - (p.feed + p.kill) * v[c]);
}
