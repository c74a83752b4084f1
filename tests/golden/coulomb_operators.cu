// s2sad: --of force --wrt pos,charge
inline __host__ __device__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
inline __host__ __device__ float3 operator-(const float3 &a, const float3 &b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
inline __host__ __device__ float3 operator*(float s, float3 a)
{
    return make_float3(s * a.x, s * a.y, s * a.z);
}
inline __host__ __device__ void operator+=(float3 &a, float3 b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
}
inline __host__ __device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline __host__ __device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
inline __device__ float length(float3 v) { return sqrtf(dot(v, v)); }
inline __device__ float3 normalize(float3 v)
{
    float inv = rsqrtf(dot(v, v));
    return inv * v;
}

extern "C" __global__ void coulomb(const float3 *__restrict__ pos, const float *__restrict__ charge,
                                   float3 *force, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 pi = pos[i];
    float3 f = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; ++j) {
        float3 d = pi - pos[j];
        float r2 = dot(d, d) + soft;
        float s = charge[i] * charge[j] / (r2 * sqrtf(r2));
        f += s * d + 0.1f * cross(d, normalize(pi + pos[j]));
    }
    force[i] = f;
}
