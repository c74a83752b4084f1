// s2sad: --of image --wrt spheres,origins
// Rays against spheres, with a small vector class: the nearest one is shaded.
class Vec3 {
public:
    float x, y, z;
    __host__ __device__ Vec3() : x(0), y(0), z(0) {}
    __host__ __device__ Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
    __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
    __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
    __host__ __device__ Vec3 &operator+=(const Vec3 &o) { x += o.x; y += o.y; z += o.z; return *this; }
    __host__ __device__ float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
    __host__ __device__ float length() const { return sqrtf(dot(*this)); }
};
struct Sphere { Vec3 center; float radius; float albedo[3]; };
__global__ void shade(const Sphere *spheres, int count, const float *origins, float *image, int width, int height)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    Vec3 o(origins[0], origins[1], origins[2]);
    Vec3 d(px - 0.5f * width, py - 0.5f * height, -(float)height);
    d = d * (1.0f / d.length());
    float best = 1e30f; int hit = -1;
    for (int s = 0; s < count; ++s) {
        Vec3 oc = o - spheres[s].center;
        float b = oc.dot(d), c = oc.dot(oc) - spheres[s].radius * spheres[s].radius;
        float disc = b * b - c;
        if (disc > 0.0f) {
            float t = -b - sqrtf(disc);
            if (t > 0.0f && t < best) { best = t; hit = s; }
        }
    }
    float *pixel = image + 3 * (py * width + px);
    if (hit >= 0) {
        Vec3 n = (o + d * best - spheres[hit].center) * (1.0f / spheres[hit].radius);
        float lambert = fmaxf(n.z, 0.0f);
        for (int k = 0; k < 3; ++k) pixel[k] = spheres[hit].albedo[k] * lambert;
    } else
        pixel[0] = pixel[1] = pixel[2] = 0.1f;
}
