// s2sad: --of un,vn --wrt u,v
// One step of Gray-Scott: a template of a function that takes an array, parameters in a struct.
struct Params { float Du, Dv, F, k, dt; int nx, ny; };
template <typename T>
__device__ __forceinline__ T lap(const T *a, int i, int j, int nx) {
    return a[(j) * nx + i - 1] + a[j * nx + i + 1] + a[(j - 1) * nx + i] + a[(j + 1) * nx + i] - T(4) * a[j * nx + i];
}
__global__ void gray_scott(const float *__restrict__ u, const float *__restrict__ v, float *un, float *vn, const Params p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i <= 0 || j <= 0 || i >= p.nx - 1 || j >= p.ny - 1)
        return;
    const int c = j * p.nx + i;
    const float uvv = u[c] * v[c] * v[c];
    un[c] = u[c] + p.dt * (p.Du * lap(u, i, j, p.nx) - uvv + p.F * (1.0f - u[c]));
    vn[c] = v[c] + p.dt * (p.Dv * lap<float>(v, i, j, p.nx) + uvv - (p.F + p.k) * v[c]);
}
