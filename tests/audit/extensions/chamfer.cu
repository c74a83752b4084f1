// Squared distance from each point to the nearest of another cloud; the forward says which it was.
#include <torch/extension.h>

template <typename T> struct Vec3 {
    T x, y, z;
    __host__ __device__ Vec3(T x, T y, T z) : x(x), y(y), z(z) {}
    __host__ __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
    __host__ __device__ Vec3 operator*(T s) const { return Vec3(x * s, y * s, z * s); }
    __host__ __device__ Vec3 &operator+=(const Vec3 &o) { return x += o.x, y += o.y, z += o.z, *this; }
};
template <typename T> __host__ __device__ inline T dot(const Vec3<T> &a, const Vec3<T> &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename T> __host__ __device__ inline Vec3<T> operator*(T s, const Vec3<T> &v) { return v * s; }
template <typename T> __device__ inline void add(Vec3<T> *to, const Vec3<T> &v)
{
    atomicAdd(&to->x, v.x);
    atomicAdd(&to->y, v.y);
    atomicAdd(&to->z, v.z);
}

template <typename scalar_t, int kTile>
__global__ void chamfer_kernel(const Vec3<scalar_t> *__restrict__ xyz1, const Vec3<scalar_t> *__restrict__ xyz2,
                               scalar_t *__restrict__ dist, int *__restrict__ idx, int n, int m)
{
    __shared__ scalar_t tile[kTile * 3];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    scalar_t best = 1e10;
    int best_index = -1;
    for (int start = 0; start < m; start += kTile) {
        const int count = min(kTile, m - start);
        __syncthreads();
        for (int j = threadIdx.x; j < 3 * count; j += blockDim.x)
            tile[j] = reinterpret_cast<const scalar_t *>(xyz2 + start)[j];
        __syncthreads();
        if (i < n)
            for (int k = 0; k < count; ++k) {
                const Vec3<scalar_t> gap = xyz1[i] - Vec3<scalar_t>(tile[3 * k], tile[3 * k + 1], tile[3 * k + 2]);
                const scalar_t d = dot(gap, gap);
                if (best_index < 0 || d < best) {
                    best = d;
                    best_index = start + k;
                }
            }
    }
    if (i < n) {
        dist[i] = best;
        idx[i] = best_index;
    }
}

template <typename scalar_t>
__global__ void chamfer_grad_kernel(const Vec3<scalar_t> *__restrict__ xyz1, const Vec3<scalar_t> *__restrict__ xyz2,
                                    const scalar_t *__restrict__ grad_dist, const int *__restrict__ idx,
                                    Vec3<scalar_t> *__restrict__ grad_xyz1, Vec3<scalar_t> *__restrict__ grad_xyz2,
                                    int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const int j = idx[i];
        const Vec3<scalar_t> g = (2 * grad_dist[i]) * (xyz1[i] - xyz2[j]);
        grad_xyz1[i] += g;
        add(grad_xyz2 + j, scalar_t(-1) * g);
    }
}

void chamfer(at::Tensor xyz1, at::Tensor xyz2, at::Tensor dist, at::Tensor idx)
{
    const int n = xyz1.size(0);
    chamfer_kernel<float, 16><<<(n + 31) / 32, 32>>>(
        (Vec3<float> *)xyz1.data_ptr<float>(), (Vec3<float> *)xyz2.data_ptr<float>(), dist.data_ptr<float>(),
        idx.data_ptr<int>(), n, xyz2.size(0));
}
